#include "diagnose/environment_drift.h"

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

void compare(const DiagnoseInput& input, const Baseline* baseline, const Fingerprint& found,
             std::vector<Finding>& findings) {
  // A half that was not measured has no facts to compare.
  if (baseline == nullptr || found.empty()) return;
  const auto facts = mismatches(baseline->key, found);
  if (facts.empty()) return;
  const bool decides = input.verdict.status == Status::no_baseline || input.verdict.status == Status::failed;
  findings.push_back({.code = "environment-differs",
                      .severity = decides ? Severity::cause : Severity::warning,
                      .message = fmt::format("{} baseline: {}", name_of(baseline->scope), list_of(facts)),
                      .advice = "measure where these facts hold, or record a new baseline here and accept it.",
                      .metric = ""});
}

}  // namespace

std::vector<Finding> explain_environment(const DiagnoseInput& input) {
  std::vector<Finding> findings;
  compare(input, input.portable, input.current.exact_fingerprint, findings);
  // A runner baseline of a machine that was measured without its timed half still holds for the exact half.
  const bool timed = !input.current.timed_fingerprint.empty();
  compare(input, input.runner, timed ? input.current.timed_fingerprint : input.current.exact_fingerprint, findings);
  return findings;
}

}  // namespace stepgate
