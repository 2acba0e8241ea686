#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "core/record/fact_kind.h"
#include "core/record/fact_roles.h"
#include "core/record/fact_table.h"
#include "core/record/fingerprint_mismatches.h"
#include "core/verdict/changed_settings.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

std::string list_of(const std::vector<FingerprintMismatch>& facts) {
  std::string text;
  for (const FingerprintMismatch& fact : facts) {
    const auto shown = [](const std::string& value) { return value.empty() ? "unknown" : value; };
    text +=
        fmt::format("{}{} was {}, is {}", text.empty() ? "" : "; ", fact.key, shown(fact.expected), shown(fact.found));
  }
  return text;
}

/// An unknown fact has two causes: the program records it only since a later version, or the machine does not show it.
std::string advice_on(const JudgedComparison& input, const std::vector<FingerprintMismatch>& facts) {
  if (earlier_values(input) != nullptr) return "measure both where these facts are equal.";
  const std::string again = "measure where these facts hold, or record a new baseline here and accept it.";
  const bool unknown = std::any_of(facts.begin(), facts.end(), [](const auto& fact) { return fact.found.empty(); });
  return unknown
             ? "a fact is unknown here: build the program anew with this version of stepgate, which records it; else " +
                   again
             : again;
}

void report(const JudgedComparison& input, const Baseline* baseline, const std::vector<FingerprintMismatch>& facts,
            std::vector<Finding>& findings) {
  if (!incompatible(facts)) return;
  const bool decides = input.verdict.status == Status::no_baseline || input.verdict.status == Status::failed;
  findings.push_back({.code = FindingCode::environment_differs,
                      .severity = decides ? Severity::cause : Severity::warning,
                      .message = fmt::format("{} baseline: {}", name_of(baseline->scope), list_of(facts)),
                      .advice = advice_on(input, facts),
                      .metric = ""});
}

/// These changes do not make other conditions: counts stay comparable, and only stored times decide nothing.
void report_changes_of_times(const JudgedComparison& input, const std::vector<FingerprintMismatch>& facts,
                             std::vector<Finding>& findings) {
  if (facts.empty()) return;
  const bool decides = input.verdict.status == Status::inconclusive && pairs_of(input) == nullptr;
  findings.push_back({.code = FindingCode::environment_differs,
                      .severity = decides ? Severity::cause : Severity::warning,
                      .message = fmt::format("since the stored sessions {}", list_of(facts)),
                      .advice = earlier_values(input) != nullptr
                                    ? advice_on(input, facts)
                                    : "stored times decide nothing after such a change: compare two builds (stepgate "
                                      "gate --base-build DIR), or begin new sessions: stepgate baseline accept "
                                      "--replace.",
                      .metric = ""});
}

/// A baseline is older than the facts that it lacks.
void name_facts_not_compared(const Baseline& baseline, const Fingerprint& found, std::vector<Finding>& findings) {
  std::string names;
  for (const FactRow& fact : fact_table()) {
    if (!fact.may_lack || fact.runner == FactRole::recorded) continue;
    const std::string key(fact.name);
    if (!found.contains(key) || baseline.key.contains(key)) continue;
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", key, found.at(key));
  }
  if (names.empty()) return;
  findings.push_back({.code = FindingCode::facts_not_compared,
                      .severity = Severity::note,
                      .message = fmt::format("the {} baseline does not say under which {} it was measured",
                                             name_of(baseline.scope), names),
                      .advice = "record a new baseline on this runner class and accept it.",
                      .metric = ""});
}

void name_injected_tools(const Fingerprint& found, std::vector<Finding>& findings) {
  const auto tools = found.find("injected_tools");
  if (tools == found.end()) return;
  findings.push_back(
      {.code = FindingCode::tool_inside_process,
       .severity = Severity::warning,
       .message = fmt::format("{} loads a tool into the measured process, which changes its times", tools->second),
       .advice = "unset it, and measure again outside the tool.",
       .metric = ""});
}

/// Changed settings are the cause of a red case, whatever else moved with them. Those of the key make it red.
void name_changed_settings(const JudgedComparison& input, std::vector<Finding>& findings) {
  auto changed = changed_settings(input);
  const bool is_cause = !changed.empty() || input.verdict.status == Status::regressed;
  for (const FingerprintMismatch& one : changed_switches(input)) {
    const bool known =
        std::any_of(changed.begin(), changed.end(), [&](const auto& other) { return other.key == one.key; });
    if (!known) changed.push_back(one);
  }
  if (changed.empty()) return;
  findings.push_back(
      {.code = FindingCode::program_changed_setting,
       .severity = is_cause ? Severity::cause : Severity::note,
       .message = text_of_changed_settings(changed),
       .advice = "it holds for the whole process, so counts, times and losses may change at once: take it back, or "
                 "accept the new values with it.",
       .metric = ""});
}

}  // namespace

std::vector<Finding> explain_environment(const JudgedComparison& input) {
  const CaseValues& current = input.current;
  // The fingerprint of a half that was not measured holds the facts of the host only, which no key is compared with.
  const bool exact = !current.exact.empty() || !current.bytes.empty() || !current.numerics.empty();
  std::vector<Finding> findings;
  name_changed_settings(input, findings);
  if (exact && input.exact && input.device == Device::cpu)
    report(input, &*input.exact, mismatches(input.exact->key, current.exact_fingerprint), findings);
  // The key of a GPU has a fact that is derived (gpu_driver_major), so the comparison of keys is taken as it was
  // judged.
  if (exact && input.exact && input.device == Device::cuda)
    report(input, &*input.exact, input.exact_mismatches, findings);
  if (!current.timed.empty()) {
    if (input.runner) {
      const RunnerKeyChanges changes = runner_key_changes(input.runner->key, current.timed_fingerprint);
      report(input, &*input.runner, changes.mismatches, findings);
      report_changes_of_times(input, changes.of_times, findings);
      name_facts_not_compared(*input.runner, current.timed_fingerprint, findings);
    }
  }
  name_injected_tools(current.timed.empty() ? current.exact_fingerprint : current.timed_fingerprint, findings);
  return findings;
}

}  // namespace stepgate
