// The line of a metric's value in a baseline file, for annotations that open the file at that line.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stepgate {

/// Line, counted from 1, of `metric` in the canonical text of a baseline (json/text/canonical_text.h): in "exact",
/// "bytes" or "numerics" its only line, in "sessions" that of the newest session. Absent if the text does not contain
/// the metric or is not canonical.
std::optional<std::int64_t> line_of_metric(std::string_view baseline_text, std::string_view metric);

}  // namespace stepgate
