// Finds the line of a call that g++ inlined within a braced list.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/frames_by_offset.h"

namespace stepgate {

/// The line of the only call of `callee` ("clone") within a braced list of the function whose closing brace stands
/// alone on `closing_line`. Lines count from 1. Absent where that line holds anything else, or no such call or several
/// on different lines are in the function. Pure.
///
/// g++ 12 writes the closing brace of the whole function as the line of such a call: torch::cat({a.clone(), b}) or
/// batch.tensors = {images.clone(), labels.clone()}. No other record of the program holds the right line.
std::optional<std::int64_t> line_of_braced_call(const std::vector<std::string>& lines, std::int64_t closing_line,
                                                std::string_view callee);

/// Gives frames around an inlined call the line of that call, where its source is a file below `source_root`
/// (source_tree.h). Others stay.
void mend_braced_calls(FramesByOffset& frames, const std::filesystem::path& source_root);

}  // namespace stepgate
