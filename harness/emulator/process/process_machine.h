// The machine of this process. The shims are functions with the names of another library, so they have no argument to
// hand it on: it is the one value here that the whole process shares.
#pragma once

#include "emulator/hazards/hazard_finder.h"
#include "emulator/machine/emulated_machine.h"
#include "emulator/machine/machine_observer.h"

namespace stepgate::emulator {

/// Made at the first call, from the environment variable STEPGATE_EMULATED_GPU. Without it, or where the host has no
/// room for the machine, the process ends with a message. It lives until the process ends: LibTorch calls it from
/// destructors of its own.
EmulatedMachine& process_machine();

/// What looks for hazards in this process; nullptr where nothing does, and in a child that was forked: its memory is a
/// copy, and another thread of its parent may have held a lock.
HazardFinder* process_hazards();

/// Adds an observer to the machine of the process: called from initialisers of static variables, before the machine is
/// made. `observer` outlives the process's main(). Returns true, so that it can initialise a constant.
bool register_observer(MachineObserver& observer);

}  // namespace stepgate::emulator
