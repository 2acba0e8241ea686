// Whether this is a container, a virtual machine, a laptop or a whole machine, and whether it saves power.
#pragma once

#include "core/host/host_kind.h"
#include "environment/host_files/host_files.h"

namespace stepgate {

/// Only reads:
///   container        /.dockerenv, /run/.containerenv, /run/systemd/container, the cgroup of process 1, an overlay root
///   virtual machine  the CPU flag "hypervisor"; if the CPU has no such flags (not x86) the firmware's names, which
///                    bare-metal machines and laptops of a cloud vendor also have
///   laptop           a battery that powers the machine (not that of a mouse); chassis type 8-10, 14, 30-32 of SMBIOS
///                    3.7, table 17
///   GPU              /proc/driver/nvidia/gpus, or a PCI display controller (class 0x0300 or 0x0302) of NVIDIA
/// Warns of battery power, a power-saving platform profile or energy preference, and a governor that holds the clock
/// down. Throws nothing.
FoundHostKind find_host_kind(const HostFiles& files);

}  // namespace stepgate
