#include "report/gate/tally.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/number_format.h"
#include "report/gate/judged_text.h"
#include "report/gate/limit_lines.h"

namespace stepgate {
namespace {

std::size_t count_of(const RunReport& report, Status status) {
  return static_cast<std::size_t>(
      std::count_if(report.outcomes.begin(), report.outcomes.end(),
                    [&](const Outcome& outcome) { return outcome.verdict.status == status; }));
}

std::string_view plain_name(Status status) {
  return status == Status::no_baseline ? std::string_view("no baseline") : name_of(status);
}

/// A report of `stepgate compare`: it has no baseline, accepts nothing and measures nothing.
bool is_comparison(const RunReport& report) {
  return !report.outcomes.empty() && std::all_of(report.outcomes.begin(), report.outcomes.end(), [](const auto& each) {
    return each.kind.reference == ReferenceKind::measurement;
  });
}

std::string_view meaning_of_comparison(int status) {
  switch (status) {
    case 0:
      return "the second measurement is not worse than the first.";
    case 1:
      return "something got worse from the first measurement to the second.";
    case 3:
      return "one of the measurements has a process that failed.";
    case 4:
      return "two measurements are not enough for a verdict. Compare pairs: stepgate ab.";
    case 5:
      return "the two were measured under different conditions.";
    case 77:
      return "a case was skipped, so nothing is known about it.";
    default:
      return "";
  }
}

bool has_something_to_accept(const RunReport& report, Status status) {
  return std::any_of(report.outcomes.begin(), report.outcomes.end(), [&](const Outcome& outcome) {
    return outcome.verdict.status == status && !outcome.accept_command.empty();
  });
}

bool is_red_by_pairs(const Outcome& outcome) {
  return outcome.verdict.status == Status::regressed && outcome.kind == result_of_pairs;
}

constexpr std::string_view meaning_of_no_consent =
    "limits are loosened without the consent that the base asks for. Take the changes back, or have them allowed: "
    "--allow-loosening NAME.";

bool lacks_consent_only(const RunReport& report) {
  return report.limits && lacks_consent(*report.limits) && count_of(report, Status::regressed) == 0;
}

std::string_view meaning_of_red(const RunReport& report) {
  if (lacks_consent_only(report)) return meaning_of_no_consent;
  if (has_something_to_accept(report, Status::regressed))
    return "something got worse. Fix it, or accept it with the command above and a reason.";
  if (std::any_of(report.outcomes.begin(), report.outcomes.end(), is_red_by_pairs))
    return "something got worse. Fix it; if it is intended, run stepgate gate on the new build and accept its values.";
  return "something got worse. Fix it: these values cannot be accepted (see the cause).";
}

std::string_view meaning_of_no_baseline(const RunReport& report) {
  const bool accepts = has_something_to_accept(report, Status::no_baseline);
  if (accepts && has_changed_tree(report))
    return "the baseline is of another tree (see the cause). If that is intended, accept what was measured.";
  if (accepts) return "there is nothing to compare with. Look at what was measured, then accept it as the baseline.";
  return "there is nothing to compare with, and what was measured cannot become a baseline: see the cause.";
}

/// Whether more or quieter measurements could decide one of the open cases.
bool lacks_evidence(const RunReport& report) {
  return std::any_of(report.outcomes.begin(), report.outcomes.end(), [](const Outcome& outcome) {
    return outcome.verdict.status == Status::inconclusive && outcome.verdict.reason != ReasonCode::nothing_judged;
  });
}

std::string_view meaning_of_skipped(const RunReport& report) {
  return count_of(report, Status::skipped) == report.outcomes.size()
             ? "every case was skipped."
             : "every measured case holds; nothing is known about the skipped ones.";
}

std::string_view meaning_of_pass(const RunReport& report) {
  return is_of_two_builds(report) ? "every case of the head build holds against the base build."
                                  : "every case holds against its baseline.";
}

std::string_view meaning_of_open(const RunReport& report) {
  const bool builds = is_of_two_builds(report);
  if (lacks_evidence(report)) {
    return builds ? "the evidence is not enough for a verdict. Measure more pairs, or on a quieter machine."
                  : "the evidence is not enough for a verdict. Measure more replicates, or on a quieter machine.";
  }
  return builds ? "the policy leaves nothing to judge between the two builds."
                : "the policy leaves nothing to judge against the baseline. Compare two builds: stepgate ab.";
}

std::string_view meaning_of(int status, const RunReport& report) {
  if (is_comparison(report)) return meaning_of_comparison(status);
  if (status == 3 && report.outcomes.empty())
    return "nothing was measured, and that is not a pass. Measure first: stepgate gate.";
  switch (status) {
    case 0:
      return meaning_of_pass(report);
    case 1:
      return meaning_of_red(report);
    case 3:
      return "something could not be measured, so nothing is known about it.";
    case 4:
      return meaning_of_open(report);
    case 5:
      return meaning_of_no_baseline(report);
    case 77:
      return meaning_of_skipped(report);
    default:
      return "";
  }
}

/// The tests of the cases carry the verdicts; this says whether there is one for each half.
std::string meaning_of_expect_all(const RunReport& report, int status) {
  if (status == 0)
    return fmt::format("all that {} judged. The verdict on a case is that of its own test.",
                       report.expected_cases.size() == 1
                           ? "the expected case gates was"
                           : fmt::format("the {} expected cases gate was", report.expected_cases.size()));
  if (report.missing_cases.empty())
    return "what was not judged is neither green nor red. STEPGATE_REQUIRE_BASELINE=1 makes it a failure, for cases on "
           "a GPU STEPGATE_REQUIRE_GPU=1.";
  const std::string missing = fmt::format("{} of {} did not run", report.missing_cases.size(),
                                          counted(report.expected_cases.size(), "expected case"));
  return missing + (status == 77 ? ". With --require-baseline that is a failure." : ".");
}

}  // namespace

bool is_of_two_builds(const RunReport& report) {
  return !report.outcomes.empty() && std::all_of(report.outcomes.begin(), report.outcomes.end(),
                                                 [](const auto& each) { return each.kind == result_of_pairs; });
}

std::string tally(const RunReport& report) {
  std::string text;
  const auto add = [&](std::size_t count, std::string_view what) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  };
  for (Status status : case_statuses) {
    add(count_of(report, status), plain_name(status));
    if (status == Status::failed) add(report.missing_cases.size(), "not measured");
  }
  if (text.empty()) text = "nothing measured";
  const std::string loosened = loosened_words(report);
  return loosened.empty() ? text : text + ", " + loosened;
}

std::string exit_sentence(const RunReport& report) {
  const int status = exit_status(report);
  std::string text = fmt::format("exit status {}: {}", status, meaning_of(status, report));
  // A reader who sees a red expects status 1.
  if (status == 3 && count_of(report, Status::regressed) > 0) text += " It outranks the regressions (status 1).";
  return text;
}

std::string exit_sentence(const RunReport& report, int status) {
  const int own = exit_status(report);
  if (status == own) return exit_sentence(report);
  return fmt::format("exit status {}, which CTest shows as skipped (without --ctest {}): {}", status, own,
                     meaning_of(own, report));
}

std::string expect_all_sentence(const RunReport& report, int status) {
  std::string text =
      fmt::format("exit status {}: {}", status,
                  status == 1 ? std::string(meaning_of_no_consent) : meaning_of_expect_all(report, status));
  for (const std::string& line : judged_lines(report)) text += "\n" + line;
  if (const std::string sentence = judging_sentence(report); !sentence.empty())
    text += "\n" + sentence + "\n  " + report.judging.text;
  return text;
}

}  // namespace stepgate
