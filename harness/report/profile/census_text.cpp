#include "report/profile/census_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/text/number_format.h"

namespace stepgate {
namespace {

/// A line holds about four of them.
constexpr std::size_t most_copies = 4;

double sum_of(const std::vector<CensusRow>& rows, double CensusRow::*amount) {
  double sum = 0;
  for (const CensusRow& row : rows) sum += row.*amount;
  return sum;
}

std::string percent_text(double part, double whole) {
  return fmt::format("{:.0f} %", whole > 0 ? 100 * part / whole : 0);
}

std::string copies_text(const std::vector<CensusRow>& copies) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(copies.size(), most_copies); ++i) {
    const CensusRow& row = copies[i];
    parts.push_back(
        fmt::format("{} {} by {} ({} a step)", row.kind, bytes_text(row.bytes), row.of, figure_text(row.calls)));
  }
  const std::string rest =
      copies.size() > most_copies ? fmt::format(", {} causes more", copies.size() - most_copies) : "";
  return fmt::format("copies {} a step: {}{}", bytes_text(sum_of(copies, &CensusRow::bytes)), fmt::join(parts, ", "),
                     rest);
}

std::string operands_text(const WorkCensus& census) {
  const double all = sum_of(census.operands, &CensusRow::flops);
  std::vector<std::string> parts;
  for (const CensusRow& row : census.operands) {
    parts.push_back(fmt::format("{} {}", row.kind, percent_text(row.flops, all)));
  }
  std::string text = fmt::format("operands of matrix products, by FLOPs: {}", fmt::join(parts, ", "));
  if (census.misaligned_flops > 0) {
    text += fmt::format("; {} in sizes that are not multiples of 16 bytes",
                        percent_text(census.misaligned_flops, census.product_flops));
  }
  return text;
}

/// Shares are by FLOPs for products, by bytes for the other classes.
std::string dtypes_text(const std::vector<CensusRow>& dtypes) {
  std::vector<std::string> classes;
  for (auto row = dtypes.begin(); row != dtypes.end();) {
    const auto end = std::find_if(row, dtypes.end(), [&](const CensusRow& next) { return next.of != row->of; });
    const std::vector<CensusRow> same(row, end);
    const auto amount = sum_of(same, &CensusRow::flops) > 0 ? &CensusRow::flops : &CensusRow::bytes;
    std::vector<std::string> parts;
    for (const CensusRow& each : same) {
      parts.push_back(same.size() == 1
                          ? each.kind
                          : fmt::format("{} {}", each.kind, percent_text(each.*amount, sum_of(same, amount))));
    }
    classes.push_back(fmt::format("{} {}", row->of, fmt::join(parts, " / ")));
    row = end;
  }
  return fmt::format("dtypes: {}", fmt::join(classes, ", "));
}

}  // namespace

std::vector<std::string> census_texts(const WorkCensus& census) {
  std::vector<std::string> texts;
  if (!census.copies.empty()) texts.push_back(copies_text(census.copies));
  if (!census.operands.empty()) texts.push_back(operands_text(census));
  if (!census.dtypes.empty()) texts.push_back(dtypes_text(census.dtypes));
  return texts;
}

}  // namespace stepgate
