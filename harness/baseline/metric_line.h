// Where in a baseline file does the value of a metric stand? For annotations that open the file at the right line.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stepgate {

/// Line, counted from 1, of `metric` in the canonical text of a baseline (json/canonical_text.h): in "exact", "bytes"
/// or "numerics" its only line, in "sessions" that of the newest session. Absent where the text does not hold it, and
/// for a text that is not canonical, whose lines say nothing.
std::optional<std::int64_t> line_of_metric(std::string_view baseline_text, std::string_view metric);

}  // namespace stepgate
