#include "baseline/limits/limit_changes.h"

#include <algorithm>
#include <set>
#include <utility>

#include "baseline/limits/baseline_limits.h"
#include "baseline/limits/case_limits.h"
#include "baseline/limits/policy_limits.h"
#include "core/stored/varying_metric.h"

namespace stepgate {
namespace {

bool has_case(const TreeLimits& limits, const std::string& name) {
  return std::any_of(limits.cases.begin(), limits.cases.end(),
                     [&](const ManifestCase& entry) { return entry.name == name; });
}

/// The names of the suite's cases that both sides have.
std::vector<std::string> shared_cases(const TreeLimits& base, const TreeLimits& head, const std::string& suite) {
  std::vector<std::string> names;
  for (const ManifestCase& entry : head.cases) {
    if (entry.suite == suite && has_case(base, entry.name)) names.push_back(entry.name);
  }
  return names;
}

std::string suite_of(const std::string& case_name) { return case_name.substr(0, case_name.find('/')); }

const Policy& policy_or_default(const TreeLimits& limits, const std::string& suite) {
  static const Policy usual;
  const auto at = limits.policies.find(suite);
  return at == limits.policies.end() ? usual : at->second;
}

const Baseline* baseline_at(const TreeLimits& limits, const std::string& file) {
  const auto at = limits.baselines.find(file);
  return at == limits.baselines.end() ? nullptr : &at->second;
}

void add_all(std::vector<LimitChange> more, std::vector<LimitChange>& changes) {
  for (LimitChange& change : more) changes.push_back(std::move(change));
}

/// The baselines of a case that is gone go with it, and are not named again.
void add_baselines(const TreeLimits& base, const TreeLimits& head, std::vector<LimitChange>& changes) {
  std::set<std::string> files;
  for (const auto& [file, baseline] : base.baselines) files.insert(file);
  for (const auto& [file, baseline] : head.baselines) files.insert(file);
  for (const std::string& file : files) {
    const Baseline *before = baseline_at(base, file), *after = baseline_at(head, file);
    const std::string& name = (before != nullptr ? before : after)->case_name;
    if (has_case(base, name) && !has_case(head, name)) continue;
    const std::string suite = suite_of(name);
    add_all(baseline_changes({.suite = suite,
                              .file = file,
                              .base = before,
                              .head = after,
                              .policy = policy_or_default(base, suite),
                              .varying = varying_metrics(policy_or_default(head, suite).varying, name)}),
            changes);
  }
}

}  // namespace

std::vector<LimitChange> limit_changes(const TreeLimits& base, const TreeLimits& head) {
  std::vector<LimitChange> changes = case_changes(base.cases, head.cases);
  for (const auto& [suite, policy] : base.policies) {
    const auto after = head.policies.find(suite);
    if (after == head.policies.end()) continue;
    add_all(policy_changes(
                {.suite = suite, .base = policy, .head = after->second, .cases = shared_cases(base, head, suite)}),
            changes);
  }
  add_baselines(base, head, changes);
  for (LimitChange& change : changes) {
    change.needs_consent =
        row_of(change.move).loosens && policy_or_default(base, change.suite).loosening == LooseningRule::needs_consent;
  }
  loosened_first(changes);
  return changes;
}

}  // namespace stepgate
