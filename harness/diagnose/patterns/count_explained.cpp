#include "diagnose/patterns/count_explained.h"

#include <fmt/format.h>

#include <cmath>

#include "core/boundary.h"
#include "core/text/number_format.h"
#include "diagnose/patterns/site_reading.h"

namespace stepgate {
namespace {

/// Below it any number is a small multiple of something.
constexpr double least_calls = 4;
constexpr int largest_multiple = 3;
/// An optimizer that takes its tensors one by one calls up to about ten operators of a kind for each.
constexpr int largest_multiple_in_optimizer = 12;

struct Unit {
  std::string_view name;
  double amount;
  int multiples;
  bool per_item;
};

/// The multiple of the amount that gives these calls; 0 where none does. Sums over steps divide without a rest.
int multiple_of(double calls, const Unit& unit) {
  constexpr double nearly = 1e-6;
  if (unit.amount < 2) return 0;
  const double multiple = calls / unit.amount;
  const double whole = std::round(multiple);
  const bool fits = whole >= 1 && whole <= unit.multiples && std::abs(multiple - whole) < nearly;
  return fits ? static_cast<int>(whole) : 0;
}

}  // namespace

ExplainedCount count_explained(double calls_per_step, std::string_view boundary, const StepAmounts& amounts) {
  if (calls_per_step < least_calls) return {};
  const int tensors = boundary == name_of(Boundary::optimizer) ? largest_multiple_in_optimizer : largest_multiple;
  const Unit units[] = {{"token of each sample", amounts.samples > 1 ? amounts.tokens() : 0, largest_multiple, true},
                        {"token", amounts.positions, largest_multiple, true},
                        {"parameter tensor", amounts.parameter_tensors, tensors, false},
                        {"sample", amounts.samples, largest_multiple, true},
                        {"layer", amounts.layers, largest_multiple, false}};
  const Unit* best = nullptr;
  int least = 0;
  for (const Unit& unit : units) {
    if (boundary == name_of(Boundary::optimizer) && unit.per_item) continue;  // it sees no sample
    const int multiple = multiple_of(calls_per_step, unit);
    if (multiple == 0 || (best != nullptr && multiple >= least)) continue;
    best = &unit;
    least = multiple;
  }
  if (best == nullptr) return {};
  const std::string times = least == 1 ? "once" : least == 2 ? "twice" : fmt::format("{}", least);
  return {fmt::format("{} per {}", times, best->name), best->per_item};
}

std::string size_explained(const ObservedTensor& tensor, const StepAmounts& amounts) {
  const std::int64_t elements = element_count(tensor);
  const std::int64_t bytes = elements * bytes_of_dtype(tensor.dtype);
  if (bytes == 0) return "";
  std::int64_t logits = amounts.logits.empty() ? 0 : 1;
  for (const std::int64_t size : amounts.logits) logits *= size;
  return bytes_text(static_cast<double>(bytes)) + (elements == logits ? " = size of the logits" : "");
}

}  // namespace stepgate
