#include "baseline/metric_line.h"

#include <algorithm>

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

MetricLines lines_of_metrics(std::string_view baseline_text) {
  MetricLines lines;
  std::string_view section;
  std::int64_t number = 0;
  for (std::size_t begin = 0; begin < baseline_text.size();) {
    const std::size_t end = std::min(baseline_text.find('\n', begin), baseline_text.size());
    const std::string_view line = baseline_text.substr(begin, end - begin);
    ++number;
    begin = end + 1;
    if (const auto key = key_at(line, 2); !key.empty()) section = key;
    const std::size_t indent = indent_in(section);
    if (indent == 0) continue;
    // The last session is the newest.
    if (const auto metric = key_at(line, indent); !metric.empty()) lines[std::string(metric)] = number;
  }
  return lines;
}

}  // namespace stepgate
