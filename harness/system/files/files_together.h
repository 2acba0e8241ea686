// Several files that belong to one result: all of them new, or all as they were.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stepgate {

struct NamedText {
  std::string name;  ///< in the folder
  std::string text;
};

/// Replaces these files of `folder`, as write_file_atomically each. None is replaced before all are on the disk, so one
/// that does not fit leaves all as they were. A process that is killed between two renames leaves some of them new.
/// Throws Error(measure) naming the file that could not be written.
void write_files_together(const std::filesystem::path& folder, const std::vector<NamedText>& files);

}  // namespace stepgate
