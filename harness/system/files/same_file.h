// Whether two names, or a name and a descriptor, are of one file.
#pragma once

#include <sys/stat.h>

#include <filesystem>

#include "system/descriptor.h"

namespace stepgate {

bool is_same_file(const struct stat& left, const struct stat& right);

/// False once the file or folder that was opened has lost its name, or something else has it.
bool is_still_named(const Descriptor& opened, const std::filesystem::path& name);

}  // namespace stepgate
