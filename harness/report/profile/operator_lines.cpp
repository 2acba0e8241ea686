#include "report/profile/operator_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace stepgate {
namespace {

struct SortRow {
  OperatorSort sort;
  double (*key)(const OperatorLine&);
};

constexpr std::array sorts = {
    SortRow{OperatorSort::self, [](const OperatorLine& line) { return line.self_ns; }},
    SortRow{OperatorSort::total, [](const OperatorLine& line) { return line.total_ns; }},
    SortRow{OperatorSort::calls, [](const OperatorLine& line) { return line.calls; }},
    SortRow{OperatorSort::flops, [](const OperatorLine& line) { return static_cast<double>(line.flops); }},
    SortRow{OperatorSort::bytes, [](const OperatorLine& line) { return static_cast<double>(line.bytes); }},
    SortRow{OperatorSort::allocated,
            [](const OperatorLine& line) { return static_cast<double>(line.allocated_bytes); }},
};

char side_of(const OperatorRow& row) {
  if (row.overhead) return 'o';
  if (!(row.roof_ns > 0)) return '-';
  return row.below_ridge ? 'b' : 'c';
}

OperatorLine line_of(const OperatorRow& row) {
  OperatorLine line{.boundary = row.site.boundary,
                    .name = row.site.name,
                    .operator_name = row.site.name,
                    .where = row.at ? short_place(*row.at) : "",
                    .note = row.calls_are,
                    .at = row.at,
                    .self_ns = row.self_ns,
                    // The observer makes operators slower: totals are scaled as the self times were.
                    .total_ns = row.site.self_ns > 0 ? static_cast<double>(row.site.total_ns) * row.self_ns /
                                                           static_cast<double>(row.site.self_ns)
                                                     : static_cast<double>(row.site.total_ns),
                    .roof_ns = row.roof_ns,
                    .calls = row.fractional_calls.value_or(static_cast<double>(row.site.calls)),
                    .flops = row.site.flops,
                    .bytes = row.site.bytes,
                    .allocated_bytes = row.site.allocated_bytes,
                    .side = side_of(row)};
  if (const std::string operands = operands_text(row.site); !operands.empty()) line.name += " " + operands;
  return line;
}

void add_numbers(const OperatorLine& one, OperatorLine& sum) {
  sum.self_ns += one.self_ns;
  sum.roof_ns += one.roof_ns;
  sum.calls += one.calls;
  sum.flops += one.flops;
  sum.bytes += one.bytes;
  sum.allocated_bytes += one.allocated_bytes;
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
  sum.line.at = one.at;
  add_numbers(one, sum.line);
  // An operator inside another one of the same line is in that one's total already.
  if (row.site.parent.empty()) sum.line.total_ns += one.total_ns;
  sum.self_by_name[row.site.name] += one.self_ns;
}

OperatorLine finished(LineSum sum) {
  const auto costliest = std::max_element(sum.self_by_name.begin(), sum.self_by_name.end(),
                                          [](const auto& a, const auto& b) { return a.second < b.second; });
  sum.line.name = sum.line.operator_name = costliest->first;
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

std::string shapes_of(const OperatorSite& site) {
  std::string text;
  for (const ObservedTensor& tensor : site.inputs) text += sizes_text(tensor.sizes) + ";";
  return text;
}

/// Everything but the sizes. Without a place nothing tells two calls of one operator apart, so each shape has its row.
std::string call_site_of(const OperatorRow& row, std::size_t index) {
  if (!row.at) return fmt::format("{}", index);
  std::vector<std::string> dtypes;
  for (const ObservedTensor& tensor : row.site.inputs) dtypes.push_back(tensor.dtype);
  return fmt::format("{}\n{}\n{}\n{}\n{}:{} {}\n{}", row.site.boundary, row.site.name, row.site.parent,
                     row.site.for_forward, row.at->file, row.at->line, row.at->function, fmt::join(dtypes, ","));
}

/// An operator with all its shapes. Its side and its note are those of the costliest one.
struct CallSiteSum {
  OperatorLine line;
  double costliest_ns = 0;
  std::set<std::string> shapes;
};

void add_shape(const OperatorRow& row, CallSiteSum& sum) {
  const OperatorLine one = line_of(row);
  if (sum.shapes.empty()) {
    sum.line = one;
    sum.costliest_ns = one.self_ns;
  } else {
    add_numbers(one, sum.line);
    sum.line.total_ns += one.total_ns;
    sum.line.note.clear();  // it counts the calls of one shape
    if (one.self_ns > sum.costliest_ns) sum.line.side = one.side;
    sum.costliest_ns = std::max(sum.costliest_ns, one.self_ns);
  }
  sum.shapes.insert(shapes_of(row.site));
}

std::vector<OperatorLine> by_call_site(const std::vector<OperatorRow>& operators) {
  std::map<std::string, CallSiteSum> sums;
  for (std::size_t i = 0; i < operators.size(); ++i) add_shape(operators[i], sums[call_site_of(operators[i], i)]);
  std::vector<OperatorLine> lines;
  for (auto& [key, sum] : sums) {
    if (sum.shapes.size() > 1) sum.line.name = fmt::format("{}, {} shapes", sum.line.operator_name, sum.shapes.size());
    lines.push_back(std::move(sum.line));
  }
  return lines;
}

}  // namespace

std::vector<OperatorLine> operator_lines(const std::vector<OperatorRow>& operators, const OperatorView& view) {
  std::vector<OperatorLine> lines;
  switch (view.by) {
    case OperatorsBy::call_site:
      lines = by_call_site(operators);
      break;
    case OperatorsBy::shape:
      for (const OperatorRow& row : operators) lines.push_back(line_of(row));
      break;
    case OperatorsBy::line:
      lines = by_line(operators);
      break;
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
  return line.calls < 0.5 ? std::string("<1") : fmt::format("{:.0f}", line.calls);
}

bool have_roofs(const std::vector<OperatorLine>& lines) {
  return std::ranges::any_of(lines, [](const OperatorLine& line) { return line.side != '-'; });
}

std::string roof_text(const OperatorLine& line) {
  if (line.side == '-') return "-";
  if (line.side == 'o' || !(line.self_ns > 0)) return fmt::format("- {}", line.side);
  return fmt::format("{:.0f} {}", 100 * line.roof_ns / line.self_ns, line.side);
}

}  // namespace stepgate
