// Which suite run a result belongs to: <out>/suite.txt, a number that `report --begin` draws. No clock takes part.
#pragma once

#include <filesystem>
#include <string>

namespace stepgate {

/// "" where no suite was begun. Throws Error(usage) where the file is damaged: then nothing says what counts.
std::string suite_number(const std::filesystem::path& out);

/// From now on no older result counts.
void draw_suite_number(const std::filesystem::path& out);

}  // namespace stepgate
