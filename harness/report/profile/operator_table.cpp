#include "report/profile/operator_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace stepgate {
namespace {

struct SortRow {
  OperatorSort sort;
  std::string_view name;
  double (*key)(const OperatorLine&);
};

constexpr std::array sorts = {
    SortRow{OperatorSort::self, "self", [](const OperatorLine& line) { return line.self_ns; }},
    SortRow{OperatorSort::total, "total", [](const OperatorLine& line) { return line.total_ns; }},
    SortRow{OperatorSort::calls, "calls", [](const OperatorLine& line) { return static_cast<double>(line.calls); }},
    SortRow{OperatorSort::flops, "flops", [](const OperatorLine& line) { return static_cast<double>(line.flops); }},
    SortRow{OperatorSort::bytes, "bytes", [](const OperatorLine& line) { return static_cast<double>(line.bytes); }},
};

char side_of(const OperatorRow& row) {
  if (row.overhead) return 'o';
  if (!(row.roof_ns > 0)) return '-';
  return row.below_ridge ? 'b' : 'c';
}

OperatorLine line_of(const OperatorRow& row) {
  OperatorLine line{.boundary = row.site.boundary,
                    .name = row.site.name,
                    .where = row.at ? short_place(*row.at) : "",
                    .note = row.calls_are,
                    .self_ns = row.self_ns,
                    // The observer makes operators slower: totals are scaled as the self times were.
                    .total_ns = row.site.self_ns > 0 ? static_cast<double>(row.site.total_ns) * row.self_ns /
                                                           static_cast<double>(row.site.self_ns)
                                                     : static_cast<double>(row.site.total_ns),
                    .roof_ns = row.roof_ns,
                    .calls = row.site.calls,
                    .flops = row.site.flops,
                    .bytes = row.site.bytes,
                    .side = side_of(row)};
  if (const std::string operands = operands_text(row.site); !operands.empty()) line.name += " " + operands;
  return line;
}

/// What one line of the user's code, or one boundary where no line is known, calls.
struct LineSum {
  OperatorLine line;
  std::map<std::string, double> self_by_name;
};

void add(const OperatorRow& row, LineSum& sum) {
  const OperatorLine one = line_of(row);
  sum.line.boundary = one.boundary;
  sum.line.where = one.where;
  sum.line.self_ns += one.self_ns;
  sum.line.roof_ns += one.roof_ns;
  sum.line.calls += one.calls;
  sum.line.flops += one.flops;
  sum.line.bytes += one.bytes;
  // An operator inside another one of the same line is in that one's total already.
  if (row.site.parent.empty()) sum.line.total_ns += one.total_ns;
  sum.self_by_name[row.site.name] += one.self_ns;
}

OperatorLine finished(LineSum sum) {
  const auto costliest = std::max_element(sum.self_by_name.begin(), sum.self_by_name.end(),
                                          [](const auto& a, const auto& b) { return a.second < b.second; });
  sum.line.name = costliest->first;
  if (sum.self_by_name.size() > 1) sum.line.name += fmt::format(" and {} more", sum.self_by_name.size() - 1);
  return sum.line;
}

std::vector<OperatorLine> by_line(const std::vector<OperatorRow>& operators) {
  std::map<std::pair<std::string, std::string>, LineSum> sums;
  for (const OperatorRow& row : operators) {
    const std::string where = row.at ? fmt::format("{}:{} {}", row.at->file, row.at->line, row.at->function) : "";
    add(row, sums[{row.site.boundary, where}]);
  }
  std::vector<OperatorLine> lines;
  for (auto& [key, sum] : sums) lines.push_back(finished(std::move(sum)));
  return lines;
}

std::string sizes_text(const std::vector<std::int64_t>& sizes) {
  return sizes.empty() ? "scalar" : fmt::format("{}", fmt::join(sizes, "x"));
}

}  // namespace

std::optional<OperatorSort> operator_sort_named(std::string_view name) {
  const auto found = std::find_if(sorts.begin(), sorts.end(), [&](const SortRow& row) { return row.name == name; });
  return found == sorts.end() ? std::nullopt : std::optional(found->sort);
}

std::optional<OperatorsBy> operators_by_named(std::string_view name) {
  if (name == "shape") return OperatorsBy::shape;
  return name == "line" ? std::optional(OperatorsBy::line) : std::nullopt;
}

std::vector<OperatorLine> operator_lines(const std::vector<OperatorRow>& operators, const OperatorView& view) {
  std::vector<OperatorLine> lines;
  if (view.by == OperatorsBy::line) {
    lines = by_line(operators);
  } else {
    for (const OperatorRow& row : operators) lines.push_back(line_of(row));
  }
  const auto key = sorts[static_cast<std::size_t>(view.sort)].key;
  std::stable_sort(lines.begin(), lines.end(),
                   [&](const OperatorLine& a, const OperatorLine& b) { return key(a) > key(b); });
  return lines;
}

std::string operands_text(const OperatorSite& site) {
  constexpr std::size_t shown = 3;
  std::vector<std::string> texts;
  for (const ObservedTensor& tensor : site.inputs) {
    if (texts.size() == shown) break;
    texts.push_back((tensor.dtype == "float32" ? "" : tensor.dtype + " ") + sizes_text(tensor.sizes));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string short_place(const SourceFrame& frame) {
  const std::string file = frame.file.substr(frame.file.rfind('/') + 1);
  if (file.empty()) return frame.function;
  const std::string line = frame.line > 0 ? fmt::format("{}:{}", file, frame.line) : file;
  return frame.function.empty() ? line : line + " " + frame.function;
}

std::string calls_text(const OperatorLine& line) {
  return line.calls == 0 ? std::string("<1") : fmt::format("{}", line.calls);
}

std::string roof_text(const OperatorLine& line) {
  if (line.side == 'o' || line.side == '-' || !(line.self_ns > 0)) return fmt::format("- {}", line.side);
  return fmt::format("{:.0f} {}", 100 * line.roof_ns / line.self_ns, line.side);
}

}  // namespace stepgate
