#include "baseline/limits/case_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "baseline/limits/limit_texts.h"

namespace stepgate {
namespace {

const ManifestCase* find_case(const std::vector<ManifestCase>& cases, const std::string& name) {
  const auto at =
      std::find_if(cases.begin(), cases.end(), [&](const ManifestCase& entry) { return entry.name == name; });
  return at == cases.end() ? nullptr : &*at;
}

LimitChange case_change(const ManifestCase& entry, LimitMove move) {
  return {.subject = LimitSubject::guarded_case, .move = move, .suite = entry.suite, .place = entry.name};
}

/// A property of a declared case, as text on both sides.
struct Declared {
  const char* key;
  std::string before;
  std::string after;
  LimitMove move;
};

std::string tiers_text(const ManifestCase& entry) { return entry.gates_times ? "exact and timed" : "exact"; }

std::vector<LimitChange> declaration_changes(const ManifestCase& base, const ManifestCase& head) {
  const Declared declared[] = {
      {"TIERS", tiers_text(base), tiers_text(head), head.gates_times ? LimitMove::tightened : LimitMove::loosened},
      {"TIMEOUT", limit_text(base.timeout_s), limit_text(head.timeout_s),
       head.timeout_s > base.timeout_s ? LimitMove::loosened : LimitMove::tightened},
      {"DEVICE", std::string(name_of(base.device)), std::string(name_of(head.device)), LimitMove::changed},
      {"CPUS", fmt::format("{}", base.cpus), fmt::format("{}", head.cpus), LimitMove::changed},
      {"GPUS", fmt::format("{}", base.gpus), fmt::format("{}", head.gpus), LimitMove::changed},
      {"BENCHMARK", base.benchmark, head.benchmark, LimitMove::changed},
  };
  std::vector<LimitChange> changes;
  for (const Declared& one : declared) {
    if (one.before == one.after) continue;
    LimitChange change = case_change(head, one.move);
    change.key = one.key;
    change.before = one.before;
    change.after = one.after;
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace

std::vector<LimitChange> case_changes(const std::vector<ManifestCase>& base, const std::vector<ManifestCase>& head) {
  std::vector<LimitChange> changes;
  for (const ManifestCase& before : base) {
    const ManifestCase* after = find_case(head, before.name);
    if (after == nullptr) {
      changes.push_back(case_change(before, LimitMove::removed));
      continue;
    }
    for (LimitChange& change : declaration_changes(before, *after)) changes.push_back(std::move(change));
  }
  for (const ManifestCase& after : head) {
    if (find_case(base, after.name) == nullptr) changes.push_back(case_change(after, LimitMove::added));
  }
  return changes;
}

}  // namespace stepgate
