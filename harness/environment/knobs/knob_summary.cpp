#include "environment/knobs/knob_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "environment/knobs/host_change.h"

namespace stepgate {
namespace {

using Changes = std::vector<const AppliedChange*>;

bool holds(const AppliedChange& one) {
  if (one.error != 0) return false;
  return !one.after || same_value(one.change, *one.after, one.change.wanted);
}

bool is_overridden(const AppliedChange& one) {
  return one.error == 0 && one.after && !same_value(one.change, *one.after, one.change.wanted);
}

/// The value if all agree, else how many there are.
template <typename Value>
std::string value_of(const Changes& changes, const Value& value) {
  const std::string first = value(*changes.front());
  const bool same =
      std::all_of(changes.begin(), changes.end(), [&](const AppliedChange* one) { return value(*one) == first; });
  return same ? first : fmt::format("{} values", changes.size());
}

std::string reason_of(const Changes& changes, std::ptrdiff_t held, const AppliedChange* refused) {
  if (held == std::ssize(changes)) return changes.size() == 1 ? "" : fmt::format("set in {} places", held);
  if (refused == nullptr) {
    const auto other =
        std::find_if(changes.begin(), changes.end(), [](const auto* one) { return is_overridden(*one); });
    return fmt::format("{} was written '{}' and reads '{}'", (*other)->change.target, (*other)->change.wanted,
                       *(*other)->after);
  }
  return fmt::format("{} of {} set; {}: {}", held, changes.size(), refused->change.target,
                     std::strerror(refused->error));
}

KnobReport report_of(const Changes& changes) {
  const auto held = std::count_if(changes.begin(), changes.end(), [](const auto* one) { return holds(*one); });
  const bool overridden =
      std::any_of(changes.begin(), changes.end(), [](const auto* one) { return is_overridden(*one); });
  const auto refused = std::find_if(changes.begin(), changes.end(), [](const auto* one) { return one->error != 0; });
  const AppliedChange* first_refused = refused == changes.end() ? nullptr : *refused;
  KnobReport report{.name = changes.front()->change.knob, .mode = GuardMode::host};
  report.state = overridden ? KnobState::overridden : held > 0 ? KnobState::achieved : KnobState::denied;
  report.before = value_of(changes, [](const AppliedChange& one) { return one.change.original; });
  report.wanted = value_of(changes, [](const AppliedChange& one) { return one.change.wanted; });
  report.after = value_of(changes, [](const AppliedChange& one) { return one.after.value_or(""); });
  report.error = first_refused == nullptr ? 0 : first_refused->error;
  report.reason = reason_of(changes, held, overridden ? nullptr : first_refused);
  return report;
}

}  // namespace

std::vector<KnobReport> knob_reports(const std::vector<AppliedChange>& changes) {
  std::vector<std::string> names;
  for (const AppliedChange& one : changes) {
    if (std::find(names.begin(), names.end(), one.change.knob) == names.end()) names.push_back(one.change.knob);
  }
  std::vector<KnobReport> reports;
  for (const std::string& name : names) {
    Changes mine;
    for (const AppliedChange& one : changes) {
      if (one.change.knob == name) mine.push_back(&one);
    }
    reports.push_back(report_of(mine));
  }
  return reports;
}

}  // namespace stepgate
