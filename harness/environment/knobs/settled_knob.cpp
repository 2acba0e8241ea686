#include "environment/knobs/settled_knob.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "environment/knobs/refusal_remedy.h"

namespace stepgate {
namespace {

KnobReport report_of(std::string name, KnobState state) {
  KnobReport report;
  report.name = std::move(name);
  report.mode = GuardMode::host;
  report.state = state;
  return report;
}

/// The value if all agree, else how many there are.
std::string common_value(const std::vector<KnobChange>& changes, std::string KnobChange::*value) {
  const std::string& first = changes.front().*value;
  const bool same =
      std::all_of(changes.begin(), changes.end(), [&](const KnobChange& change) { return change.*value == first; });
  return same ? first : fmt::format("{} values", changes.size());
}

bool is_a_file(const KnobChange& change) {
  return change.kind == ChangeKind::file || change.kind == ChangeKind::controller;
}

}  // namespace

KnobReport already_knob(std::string name, std::string value, std::string reason) {
  KnobReport report = report_of(std::move(name), KnobState::already);
  report.before = value;
  report.wanted = std::move(value);
  report.reason = std::move(reason);
  return report;
}

KnobReport unsupported_knob(std::string name, std::string reason, std::string remedy) {
  KnobReport report = report_of(std::move(name), KnobState::unsupported);
  report.reason = std::move(reason);
  report.remedy = std::move(remedy);
  return report;
}

KnobReport denied_knob(const HostFiles& files, const std::vector<KnobChange>& changes, const std::string& path,
                       int error) {
  KnobReport report = report_of(changes.front().knob, KnobState::denied);
  report.before = common_value(changes, &KnobChange::original);
  report.wanted = common_value(changes, &KnobChange::wanted);
  report.error = error;
  report.reason = fmt::format("{} may not be written: {}", path, std::strerror(error));
  report.remedy = remedy_for_refusal(files, path, error);
  return report;
}

KnobPlan settled_plan(KnobReport report) {
  KnobPlan plan;
  plan.settled.push_back(std::move(report));
  return plan;
}

KnobPlan changes_or_settled(const HostFiles& files, std::vector<KnobChange> changes, KnobReport already) {
  if (changes.empty()) return settled_plan(std::move(already));
  const auto first = std::find_if(changes.begin(), changes.end(), is_a_file);
  const int refusal = first == changes.end() ? 0 : files.write_refusal(first->target);
  if (refusal != 0) return settled_plan(denied_knob(files, changes, first->target, refusal));
  KnobPlan plan;
  plan.changes = std::move(changes);
  return plan;
}

}  // namespace stepgate
