#include "diagnose/difference/difference_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <vector>

#include "core/text/number_format.h"

namespace stepgate {
namespace {

std::string time_text(double ns) { return difference_text(MetricUnit::ns, ns); }

std::string change_of(MetricUnit unit, const char* what, double base, double head) {
  if (base == head) return "";
  const TwoQuantities texts = two_quantities(unit, base, head);
  return fmt::format("{} {} -> {}", what, texts.first, texts.second);
}

/// "calls 2 -> 3, bytes 1.2 MiB -> 2.4 MiB".
std::string work_text(const DifferenceRow& row) {
  std::vector<std::string> parts = {change_of(MetricUnit::count, "calls", row.base.calls, row.head.calls),
                                    change_of(MetricUnit::count, "FLOPs", row.base.flops, row.head.flops),
                                    change_of(MetricUnit::bytes, "bytes touched", row.base.bytes, row.head.bytes)};
  std::erase(parts, "");
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::string meaning_of(const DifferenceRow& row) {
  const bool slower = row.difference_ns > 0;
  switch (row.change) {
    case WorkChange::none:
      return slower ? "the same work takes longer, so a kernel, the memory layout, or the machine"
                    : "the same work takes less time";
    case WorkChange::added:
      return fmt::format("new, {} a step", counted(static_cast<std::int64_t>(std::ceil(row.head.calls)), "call"));
    case WorkChange::removed:
      return "gone";
    case WorkChange::more:
      return "more work, " + work_text(row);
    case WorkChange::less:
      return (slower ? "less work that takes longer, " : "less work, ") + work_text(row);
    default:
      return "other work, " + work_text(row);
  }
}

std::string attribution_text(const StepDifference& difference) {
  std::string text =
      fmt::format("explained {} of {} a step", time_text(difference.explained_ns), time_text(difference.total_ns));
  if (difference.total_ns * difference.explained_ns > 0)
    text += fmt::format(" ({:.0f} %)", 100 * difference.explained_ns / difference.total_ns);
  if (difference.alike.differs)
    text += fmt::format("; all operators alike take {} ({})", change_text(difference.alike.ratio - 1),
                        time_text(difference.alike_ns));
  text += fmt::format("; the rest, {}, lies between operators, in rows that differ too little to tell, or is noise",
                      time_text(difference.rest_ns));
  return text;
}

}  // namespace stepgate
