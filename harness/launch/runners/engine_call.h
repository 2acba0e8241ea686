// One call of a program that manages jobs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stepgate {

/// The lines that `command` prints on stdout, with `input` on its stdin; PATH is searched. Absent where it does not end
/// with status 0 within 30 s: an empty answer and a failure are not the same. It may leave processes behind: jobs.
std::optional<std::vector<std::string>> engine_lines(const std::vector<std::string>& command,
                                                     const std::string& input = "");

/// "1,3,4"
std::string comma_list(const std::vector<std::int64_t>& numbers);

}  // namespace stepgate
