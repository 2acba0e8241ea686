// The place of the running stepgate: its build folder, a bundle, or a prefix that a project can be built with.
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

/// The part of a prefix that a project needs and that is missing, absolute: the file that an installation writes last,
/// or the harness, which a build without LibTorch does not have. Empty if nothing is missing.
std::filesystem::path missing_in_prefix(const std::filesystem::path& prefix);

}  // namespace stepgate
