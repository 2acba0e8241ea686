#include "core/verdict/changed_settings.h"

#include <algorithm>

#include "core/record/fact_kind.h"
#include "core/record/fact_table.h"

namespace stepgate {
namespace {

void add_once(const FingerprintMismatch& one, std::vector<FingerprintMismatch>& all) {
  const bool known = std::any_of(all.begin(), all.end(), [&](const auto& other) { return other.key == one.key; });
  if (!known) all.push_back(one);
}

void add(const std::vector<FingerprintMismatch>& of_half, std::vector<FingerprintMismatch>& all) {
  for (const FingerprintMismatch& one : changed_settings(of_half)) add_once(one, all);
}

/// Of the switches that both sides recorded.
void add_changed(const Fingerprint& before, const Fingerprint& now, std::vector<FingerprintMismatch>& all) {
  for (const auto& [name, value] : before) {
    const FactRow* const row = find_fact(name);
    const auto found = now.find(name);
    if (row == nullptr || row->kind != FactKind::program || found == now.end()) continue;
    if (!same_fact(name, value, found->second)) add_once({name, value, found->second}, all);
  }
}

}  // namespace

std::vector<FingerprintMismatch> changed_settings(const Comparison& comparison) {
  std::vector<FingerprintMismatch> all;
  const bool in_pairs = pairs_of(comparison) != nullptr;
  if (comparison.judge_exact) add(comparison.exact_mismatches, all);
  if (comparison.judge_timed)
    add(in_pairs ? paired_reference(comparison)->mismatches : comparison.runner_mismatches, all);
  return all;
}

std::vector<FingerprintMismatch> changed_switches(const Comparison& comparison) {
  std::vector<FingerprintMismatch> all;
  const CaseValues& current = comparison.current;
  if (comparison.judge_exact && comparison.exact)
    add_changed(comparison.exact->switches, current.exact_fingerprint, all);
  if (!comparison.judge_timed) return all;
  if (pairs_of(comparison) != nullptr) {
    add_changed(paired_reference(comparison)->switches, current.timed_fingerprint, all);
  } else if (const CaseValues* earlier = earlier_values(comparison)) {
    add_changed(earlier->timed_fingerprint, current.timed_fingerprint, all);
  } else if (comparison.runner) {
    add_changed(comparison.runner->switches, current.timed_fingerprint, all);
  }
  return all;
}

std::string text_of_changed_settings(const std::vector<FingerprintMismatch>& changed) {
  std::string text;
  for (const FingerprintMismatch& one : changed) {
    text += text.empty() ? "the program changed " : ", ";
    text += one.key + " from " + one.expected + " to " + one.found;
  }
  return text;
}

}  // namespace stepgate
