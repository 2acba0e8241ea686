// Which suite run a result belongs to: <out>/suite.txt, a number that `report --begin` draws. No clock takes part.
#pragma once

#include <filesystem>
#include <string>

namespace stepgate {

/// "" if no suite was begun. Throws Error(usage) if the file is damaged: then it is unknown which results count.
std::string suite_number(const std::filesystem::path& out);

/// From now on no older result counts.
void draw_suite_number(const std::filesystem::path& out);

}  // namespace stepgate
