// stepgate-studies: the program beside this one that also has the studies. A build of the gate leaves it out.
#pragma once

#include <filesystem>

namespace stepgate {

/// The stepgate that users start, for the program that runs: itself, or the one beside it where that is
/// stepgate-studies.
std::filesystem::path launcher_of(const std::filesystem::path& running);

/// stepgate-studies beside `launcher`. Throws Error(usage) with the command that gets it if it is not there, if it is
/// the launcher itself (a copy that runs under this name, or a link), and if a build folder has it from an older build.
std::filesystem::path studies_beside(const std::filesystem::path& launcher);

/// Goes on as stepgate-studies with the words of this call. Throws as studies_beside() does.
[[noreturn]] void continue_in_studies();

}  // namespace stepgate
