// The kernel's text files below /proc and /sys, and the values in their lines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// The whole file in the memory of `text`, for a caller that reads many times. Such files report no size, so they are
/// read to their end. False, and no use in `text`, where the file cannot be opened or read.
bool read_to_end(const std::filesystem::path& path, std::string& text);

/// The whole file with trailing white space removed, absent where it cannot be opened or read.
std::optional<std::string> read_pseudo_file(const std::filesystem::path& path);

/// The file as one integer, absent where it is missing or holds anything else.
std::optional<std::int64_t> read_pseudo_number(const std::filesystem::path& path);

/// `text` as one integer, absent where it is anything else.
std::optional<std::int64_t> integer_from(std::string_view text);

/// The rest of the first line that starts with `key`, without a separating ":" and surrounding white space; absent
/// where no line does. `key` must be followed by ":" or white space.
std::optional<std::string> value_after(std::string_view text, std::string_view key);

/// The first number behind `key` in the first line that starts with `key`; absent where no line does, or none follows.
/// Takes no memory.
std::optional<std::int64_t> number_after(std::string_view text, std::string_view key);

/// Words separated by white space.
std::vector<std::string_view> words_of(std::string_view text);

bool has_word(std::string_view text, std::string_view word);

/// Lines without their ends.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace stepgate
