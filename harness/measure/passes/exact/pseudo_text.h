// Reads the pseudo files of a process, which have no size and are read many times.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace stepgate {

/// The text of a pseudo file, in the memory of `text`. False where it cannot be read.
bool read_pseudo_file(const std::filesystem::path& path, std::string& text);

/// The number after `key` at the begin of a line; absent where no line begins so.
std::optional<std::int64_t> number_after(std::string_view text, std::string_view key);

}  // namespace stepgate
