// What would allow a refused write to the host.
#pragma once

#include <string>

#include "environment/host_files/host_files.h"

namespace stepgate {

/// For a user without privileges, about files and GPUs.
inline constexpr const char* run_as_root = "run as root: sudo stepgate ... --guard host";

/// A command or a permission that fits the case: a container, a read-only mount, a user without privileges. `error` is
/// the errno of opening or writing `path`. "" if nothing would help.
std::string remedy_for_refusal(const HostFiles& files, const std::string& path, int error);

}  // namespace stepgate
