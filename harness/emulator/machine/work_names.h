// The words of log and order for kinds of work.
#pragma once

#include <string_view>

#include "emulator/machine/machine_observer.h"

namespace stepgate::emulator {

/// "host_to_device", "device_to_host pageable".
std::string_view name_of_copy(CopyDirection direction, bool pageable);
std::string_view name_of_wait(WaitKind kind);
std::string_view name_of_memory(MemoryKind kind);
std::string_view name_of_operation(OperationKind kind);

}  // namespace stepgate::emulator
