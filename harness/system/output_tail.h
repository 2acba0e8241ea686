// The end of a process's output.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stepgate {

/// The last lines of what a process printed, at most `lines` and at most 16 KiB of them. Control
/// characters and bytes that are not UTF-8 become '?', so that the tail is always valid in JSON and harmless on a
/// terminal.
std::string output_tail(std::string_view printed, std::size_t lines = 40);

}  // namespace stepgate
