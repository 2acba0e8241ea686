#include "core/verdict/changed_settings.h"

#include <algorithm>

#include "core/record/fact_kind.h"

namespace stepgate {
namespace {

void add(const std::vector<FingerprintMismatch>& of_half, std::vector<FingerprintMismatch>& all) {
  for (const FingerprintMismatch& one : changed_settings(of_half)) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const auto& other) { return other.key == one.key; });
    if (!known) all.push_back(one);
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

std::string text_of_changed_settings(const std::vector<FingerprintMismatch>& changed) {
  std::string text;
  for (const FingerprintMismatch& one : changed) {
    text += text.empty() ? "the program changed " : ", ";
    text += one.key + " from " + one.expected + " to " + one.found;
  }
  return text;
}

}  // namespace stepgate
