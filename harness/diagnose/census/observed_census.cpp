#include "diagnose/census/observed_census.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/boundary.h"
#include "diagnose/census/operator_class.h"
#include "diagnose/patterns/copy_reading.h"

namespace stepgate {
namespace {

using CensusKey = std::pair<std::string, std::string>;
using CensusRows = std::map<CensusKey, CensusRow>;

void add_row(CensusRows& rows, const CensusRow& more) {
  CensusRow& row = rows.try_emplace({more.of, more.kind}, CensusRow{.of = more.of, .kind = more.kind}).first->second;
  row.calls += more.calls;
  row.flops += more.flops;
  row.bytes += more.bytes;
}

std::string leading_cause(const OperatorSite& copy) {
  const std::string first_caller = copy.callers.empty() ? copy.name : copy.callers.front();
  const std::string product = product_around(copy);
  return product.empty() || product == first_caller ? first_caller : first_caller + " > " + product;
}

/// The matrices or images of a product, without biases.
void add_operands(const OperatorSite& site, double steps, CensusRows& rows) {
  for (const ObservedTensor& operand : site.inputs) {
    if (operand.sizes.size() < 2) continue;
    add_row(rows, {.of = "products",
                   .kind = std::string(layout_of(operand)),
                   .calls = static_cast<double>(site.calls) / steps,
                   .flops = static_cast<double>(site.flops) / steps});
  }
}

/// The first tensor that is not a scalar; "" if there is none.
std::string first_dtype(const OperatorSite& site) {
  const auto at = std::find_if(site.inputs.begin(), site.inputs.end(),
                               [](const ObservedTensor& tensor) { return !tensor.sizes.empty(); });
  return at == site.inputs.end() ? "" : at->dtype;
}

void add_dtype(const OperatorSite& site, double steps, CensusRows& rows) {
  const std::string_view kind = class_of(site);
  const std::string dtype = first_dtype(site);
  if (kind.empty() || dtype.empty()) return;
  add_row(rows, {.of = std::string(kind),
                 .kind = dtype,
                 .calls = static_cast<double>(site.calls) / steps,
                 .flops = static_cast<double>(site.flops) / steps,
                 .bytes = static_cast<double>(site.bytes) / steps});
}

std::vector<CensusRow> most_first(const CensusRows& rows, double CensusRow::*amount) {
  std::vector<CensusRow> sorted;
  for (const auto& [key, row] : rows) sorted.push_back(row);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const CensusRow& a, const CensusRow& b) { return a.*amount > b.*amount; });
  return sorted;
}

std::vector<CensusRow> by_class(const CensusRows& rows) {
  std::vector<CensusRow> sorted = most_first(rows, &CensusRow::bytes);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const CensusRow& a, const CensusRow& b) { return rank_of_class(a.of) < rank_of_class(b.of); });
  return sorted;
}

}  // namespace

WorkCensus work_census(const ObservedWork& work) {
  WorkCensus census;
  if (work.steps <= 0) return census;
  const auto steps = static_cast<double>(work.steps);
  CensusRows copies;
  CensusRows operands;
  CensusRows dtypes;
  for (const OperatorSite& site : work.sites) {
    if (site.boundary == name_of(Boundary::data_wait)) continue;
    if (is_copy(site)) {
      add_row(copies, {.of = leading_cause(site),
                       .kind = std::string(copy_kind(site)),
                       .calls = static_cast<double>(site.calls) / steps,
                       .bytes = static_cast<double>(site.copied_bytes) / steps});
    }
    if (site.flops > 0) add_operands(site, steps, operands);
    census.product_flops += static_cast<double>(site.flops) / steps;
    census.misaligned_flops += static_cast<double>(site.misaligned_flops) / steps;
    add_dtype(site, steps, dtypes);
  }
  census.copies = most_first(copies, &CensusRow::bytes);
  census.operands = most_first(operands, &CensusRow::flops);
  census.dtypes = by_class(dtypes);
  return census;
}

}  // namespace stepgate
