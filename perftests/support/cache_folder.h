// The folder of files that are made from the training data and kept between runs.
#pragma once

#include <filesystem>
#include <string_view>

namespace stepgate {

/// Folder `part` of stepgate's cache: below $STEPGATE_CACHE, else $XDG_CACHE_HOME/stepgate, else $HOME/.cache/stepgate
/// (as in ci/paths.sh), else a folder of this user among the temporary files. Creates nothing.
std::filesystem::path cache_folder(std::string_view part);

}  // namespace stepgate
