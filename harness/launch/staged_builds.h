// Copies the two programs of an A/B run to paths of equal length. A program's arguments and path are on its stack, and
// a longer path shifts every address above it. That alone has moved times by percents (Mytkowicz et al., "Producing
// wrong data without doing anything obviously wrong!", ASPLOS 2009).
#pragma once

#include <filesystem>
#include <string>

namespace stepgate {

struct StagedBuilds {
  std::filesystem::path base;
  std::filesystem::path head;
  std::filesystem::path aa_copy;  ///< A/A copy: the bytes of base, the other side of the A/A control
  std::string base_digest;        ///< of the program's bytes: equal for the same build
  std::string head_digest;
};

/// Copies the two programs to <folder>/base/NAME, <folder>/head/NAME and <folder>/twin/NAME, NAME that of the base
/// program. A rebuild during the run does not change the copies. A copy that has the same bytes already stays.
/// Throws Error(usage) naming the file that cannot be read, Error(measure) where the folder cannot be written.
StagedBuilds stage_builds(const std::filesystem::path& folder, const std::filesystem::path& base_program,
                          const std::filesystem::path& head_program);

/// 16 hexadecimal digits of the 64-bit FNV-1a hash (Fowler, Noll, Vo) of the file's bytes.
/// Throws Error(usage) where it cannot be read.
std::string file_digest(const std::filesystem::path& file);

}  // namespace stepgate
