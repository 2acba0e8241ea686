// Counts what lies in a folder, within limits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "measure/passes/exact/held_things.h"

namespace stepgate {

struct FolderQuestion {
  std::filesystem::path folder;
  std::vector<std::filesystem::path> left_out = {};  ///< folders in it that do not count, with what they hold
  int depth = 8;                                     ///< 1: its own entries only
  bool enters_hidden = true;                         ///< false: does not look into folders such as .git
  std::int64_t most_entries = 100'000;               ///< stops counting there
};

struct FolderCount {
  std::int64_t entries = 0;
  std::int64_t bytes = 0;    ///< sizes of regular files; links are not followed
  bool is_complete = false;  ///< false: it has more entries than were asked for, or cannot be read
};

FolderCount count_folder(const FolderQuestion& question);

/// Each entry by its path in the folder: 1, or its bytes.
HeldThings entries_by_name(const FolderQuestion& question);
HeldThings bytes_by_name(const FolderQuestion& question);

}  // namespace stepgate
