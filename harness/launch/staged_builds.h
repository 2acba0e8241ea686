// The two programs of an A/B run at paths of equal length. Arguments and the program's own path lie on its stack: a
// longer path shifts every address above it, which alone has moved timings by percents (Mytkowicz et al., "Producing
// wrong data without doing anything obviously wrong!", ASPLOS 2009).
#pragma once

#include <filesystem>
#include <string>

namespace stepgate {

struct StagedBuilds {
  std::filesystem::path base;
  std::filesystem::path head;
  std::filesystem::path aa_copy;  ///< byte copy of base: the other side of the control
  std::string base_digest;        ///< of the program's bytes; says "the same build", keeps no secret
  std::string head_digest;
};

/// Copies the two programs to <folder>/base/NAME, <folder>/head/NAME and <folder>/twin/NAME, NAME that of the base
/// program: measured files that no rebuild replaces meanwhile. Copies that are there already with the same bytes stay.
/// Throws Error(usage) naming the file that cannot be read, Error(measure) where the folder cannot be written.
StagedBuilds stage_builds(const std::filesystem::path& folder, const std::filesystem::path& base_program,
                          const std::filesystem::path& head_program);

/// 16 hexadecimal digits of the 64-bit FNV-1a hash (Fowler, Noll, Vo) of the file's bytes.
/// Throws Error(usage) where it cannot be read.
std::string file_digest(const std::filesystem::path& file);

}  // namespace stepgate
