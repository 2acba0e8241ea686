// The line of a metric's value in a baseline file, for annotations that open the file at that line.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace stepgate {

using MetricLines = std::map<std::string, std::int64_t, std::less<>>;

/// By metric its line, counted from 1, in the canonical text of a baseline (json/text/canonical_text.h): in "exact",
/// "bytes" or "numerics" its only line, in "sessions" that of the newest session. A metric that the text does not
/// contain has none, and none has one in a text that is not canonical.
MetricLines lines_of_metrics(std::string_view baseline_text);

}  // namespace stepgate
