// Where the memory pass looks for what the process of a case holds.
#pragma once

#include <filesystem>

#include "measure/passes/exact/held_sources.h"

namespace stepgate {

/// `record`: the file that the process will write; empty: none. A process that the launcher started has a folder of its
/// own for temporary files.
HeldPlaces held_places_of(const std::filesystem::path& record, bool has_driver);

}  // namespace stepgate
