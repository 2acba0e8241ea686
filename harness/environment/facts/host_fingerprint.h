// Facts about the machine that need neither LibTorch nor a GPU library.
#pragma once

#include <filesystem>

#include "core/record/fingerprint.h"

namespace stepgate {

/// Host facts read below `sysroot` ("/" outside tests): cpu_model, cpu_count, kernel, hypervisor, memory_total_bytes,
/// gpu_driver, governor, turbo ("on"/"off"), thp, aslr ("0".."2"). A fact that this machine does not show is missing:
/// a virtual machine usually has no governor. Throws nothing.
Fingerprint host_fingerprint(const std::filesystem::path& sysroot);

}  // namespace stepgate
