// Copies the two builds of an A/B run to paths of equal length. A program's arguments, its path and its environment are
// on its stack, and a longer path shifts every address above it. That alone has moved times by percents (Mytkowicz et
// al., "Producing wrong data without doing anything obviously wrong!", ASPLOS 2009).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "launch/program_build.h"

namespace stepgate {

/// Name of the folder of the A/A copy, and of its side of a control pair. Output folders of earlier versions have it.
inline constexpr std::string_view aa_copy_folder = "twin";

struct StagedBuilds {
  std::filesystem::path base;
  std::filesystem::path head;
  std::filesystem::path aa_copy;  ///< A/A copy: the bytes of base, the other side of the A/A control
  std::string base_digest;        ///< build_digest() of the copy: equal for the same build
  std::string head_digest;
};

/// Copies a program to <folder>/NAME and its libraries beside it (library_folder), and removes libraries that an
/// earlier build left there. What has the same bytes already stays. With `libraries` that folder is there in any case.
/// Throws Error(usage) naming the file that cannot be read, Error(measure) where the folder cannot be written.
ProgramBuild stage_build(const std::filesystem::path& folder, const ProgramBuild& build, const std::string& name,
                         bool libraries);

/// Copies the two builds to <folder>/base, <folder>/head and <folder>/twin (the A/A copy), the program under the name
/// of the base's. A rebuild during the run changes neither the copies nor what they load. If one side has libraries
/// of its own, each side gets the variable that leads to them, so that their environments are equally long. Throws as
/// stage_build.
StagedBuilds stage_builds(const std::filesystem::path& folder, const ProgramBuild& base, const ProgramBuild& head);

}  // namespace stepgate
