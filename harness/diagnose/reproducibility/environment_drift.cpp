#include "diagnose/reproducibility/environment_drift.h"

#include <fmt/format.h>

#include <string>

#include "diagnose/both_sides.h"

namespace stepgate {
namespace {

std::string list_of(const std::vector<FingerprintMismatch>& facts) {
  std::string text;
  for (const FingerprintMismatch& fact : facts) {
    text += fmt::format("{}{} was {}, is {}", text.empty() ? "" : "; ", fact.key, fact.expected,
                        fact.found.empty() ? "unknown" : fact.found);
  }
  return text;
}

void compare(const Comparison& input, const Baseline* baseline, const Fingerprint& found,
             std::vector<Finding>& findings) {
  if (baseline == nullptr) return;
  const auto facts = mismatches(baseline->key, found);
  if (facts.empty()) return;
  const bool decides = input.verdict.status == Status::no_baseline || input.verdict.status == Status::failed;
  findings.push_back({.code = "environment-differs",
                      .severity = decides ? Severity::cause : Severity::warning,
                      .message = fmt::format("{} baseline: {}", name_of(baseline->scope), list_of(facts)),
                      .advice = input.base_group
                                    ? "measure both where these facts are equal."
                                    : "measure where these facts hold, or record a new baseline here and accept it.",
                      .metric = ""});
}

}  // namespace

std::vector<Finding> explain_environment(const Comparison& input) {
  const CaseValues& current = input.current;
  // The fingerprint of a half that was not measured holds the facts of the host only, which no key is compared with.
  const bool exact = !current.exact.empty() || !current.bytes.empty() || !current.numerics.empty();
  std::vector<Finding> findings;
  if (exact) compare(input, pointer_to(input.portable), current.exact_fingerprint, findings);
  if (!current.timed.empty()) compare(input, pointer_to(input.runner), current.timed_fingerprint, findings);
  return findings;
}

}  // namespace stepgate
