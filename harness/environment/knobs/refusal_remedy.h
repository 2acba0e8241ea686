// What would allow a write to the host that was refused.
#pragma once

#include <string>

#include "environment/host_files/host_files.h"

namespace stepgate {

/// What a user without privileges is told, of files and of GPUs.
inline constexpr const char* run_as_root = "run as root: sudo stepgate ... --guard host";

/// A command or a permission that fits the place: a container, a read-only mount, a user without privileges. `error` is
/// the errno of opening or writing `path`. "" where nothing would help.
std::string remedy_for_refusal(const HostFiles& files, const std::string& path, int error);

}  // namespace stepgate
