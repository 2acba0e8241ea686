#include "baseline/metric_line.h"

#include <algorithm>
#include <string>

namespace stepgate {
namespace {

/// The key of a line with exactly `indent` leading spaces: "exact" of `  "exact": {`. "" for any other line.
std::string_view key_at(std::string_view line, std::size_t indent) {
  if (line.size() <= indent + 1 || line.find_first_not_of(' ') != indent || line[indent] != '"') return "";
  const std::size_t end = line.find("\": ", indent + 1);
  return end == std::string_view::npos ? "" : line.substr(indent + 1, end - indent - 1);
}

/// Depth of a metric's key below its section: {"exact": {metric}}, {"sessions": [{"timed": {metric}}]}.
std::size_t indent_in(std::string_view section) {
  if (section == "exact" || section == "bytes" || section == "numerics") return 4;
  return section == "sessions" ? 8 : 0;
}

}  // namespace

std::optional<std::int64_t> line_of_metric(std::string_view baseline_text, std::string_view metric) {
  if (metric.empty()) return std::nullopt;
  std::optional<std::int64_t> found;
  std::string_view section;
  std::int64_t number = 0;
  for (std::size_t begin = 0; begin < baseline_text.size();) {
    const std::size_t end = std::min(baseline_text.find('\n', begin), baseline_text.size());
    const std::string_view line = baseline_text.substr(begin, end - begin);
    ++number;
    begin = end + 1;
    if (const auto key = key_at(line, 2); !key.empty()) section = key;
    const std::size_t indent = indent_in(section);
    if (indent > 0 && key_at(line, indent) == metric) found = number;  // the last session is the newest
  }
  return found;
}

}  // namespace stepgate
