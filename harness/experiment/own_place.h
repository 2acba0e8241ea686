// Where does the running stepgate lie: in its build folder, in a bundle, or in a prefix that a project can be built
// with?
#pragma once

#include <filesystem>

namespace stepgate {

enum class OwnPlaceKind { build_folder, bundle, prefix };

struct OwnPlace {
  OwnPlaceKind kind = OwnPlaceKind::prefix;
  std::filesystem::path root;  ///< the folder above bin
};

/// The place of `program`, which is ROOT/bin/NAME. Whatever is neither a build folder nor a bundle counts as a prefix.
OwnPlace own_place(const std::filesystem::path& program);

/// What a project needs of a prefix and is not there, absolute: the file that an installation writes last, or the
/// harness, which a build without LibTorch does not have. Empty where nothing is missing.
std::filesystem::path missing_in_prefix(const std::filesystem::path& prefix);

}  // namespace stepgate
