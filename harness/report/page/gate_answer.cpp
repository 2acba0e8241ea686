#include "report/page/gate_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "core/judged/emulated_result.h"
#include "core/text/commit_text.h"
#include "core/text/number_format.h"
#include "report/gate/limit_lines.h"
#include "report/gate/metric_cells.h"
#include "report/gate/tally.h"
#include "report/page/gate_case.h"
#include "report/page/worse_change.h"

namespace stepgate {
namespace {

std::size_t outcomes_with(const RunReport& report, Status status) {
  return static_cast<std::size_t>(
      std::count_if(report.outcomes.begin(), report.outcomes.end(),
                    [&](const Outcome& outcome) { return outcome.verdict.status == status; }));
}

/// "language/char_lm/full: step time +4.2 % (+3.6 % to +4.8 %); red begins at +1.0 %"
std::string change_sentence_of(const GatePageInput& input, const Outcome& outcome, const MetricVerdict& metric) {
  std::string text = fmt::format("{}: {} {}", outcome.verdict.case_name, label_of(metric.metric), worse_text(metric));
  const std::string bounds = worse_interval_text(metric);
  if (!bounds.empty()) text += fmt::format(" ({})", bounds);
  text += ", " + values_text(metric);
  const auto change = worse_change(metric, evidence_of(input.evidence, outcome));
  if (metric.status == Status::regressed && change && change->margins)
    text += "; red begins at " + change_text(change->margins->ignore);
  return text + ".";
}

std::string worst_sentence(const GatePageInput& input, const Outcome& outcome) {
  const MetricVerdict* metric = deciding_metric(outcome.verdict);
  if (metric != nullptr && metric->baseline && metric->current) return change_sentence_of(input, outcome, *metric);
  const std::string_view why =
      outcome.verdict.detail.empty() ? name_of(outcome.verdict.reason) : outcome.verdict.detail;
  return fmt::format("{}: {}{}{}.", outcome.verdict.case_name, status_text(outcome.verdict.status),
                     why.empty() ? "" : ", ", why);
}

/// What the exit status means. On a terminal the commands stand above that sentence, on the page below it.
std::string page_meaning(const RunReport& report) {
  constexpr std::string_view above = "the command above";
  std::string meaning = exit_sentence(report);
  meaning.erase(0, meaning.find(": ") + 2);
  if (const auto at = meaning.find(above); at != std::string::npos) {
    meaning.replace(at, above.size(), "the command below");
  }
  return meaning;
}

std::vector<PageItem> verdict_sentences(const GatePageInput& input) {
  const RunReport& report = input.report;
  const std::string meaning = page_meaning(report);
  if (report.outcomes.empty() || passed_or_skipped(report.outcomes.front())) {
    return {{.label = "", .text = static_cast<char>(std::toupper(meaning.front())) + meaning.substr(1)}};
  }
  const Outcome& worst = report.outcomes.front();
  std::vector<PageItem> sentences = {{.label = "", .text = worst_sentence(input, worst)}};
  if (const Finding* cause = first_cause(worst); cause != nullptr) {
    sentences.push_back({.label = "Cause:",
                         .text = cause->message,
                         .places = source_links(cause->sources, published_code(input)),
                         .advice = ""});
  }
  sentences.push_back({.label = "Next:", .text = meaning});
  return sentences;
}

}  // namespace

std::vector<PageCount> answer_counts(const RunReport& report) {
  std::vector<PageCount> counts;
  for (Status status : case_statuses) {
    const std::size_t count = outcomes_with(report, status);
    const std::string word = status == Status::no_baseline ? "without baseline" : std::string(name_of(status));
    if (count > 0) counts.push_back({tone_of(status), fmt::format("{} {}", count, word)});
    if (status == Status::failed && !report.missing_cases.empty()) {
      counts.push_back({Tone::bad, fmt::format("{} not measured", report.missing_cases.size())});
    }
  }
  if (counts.empty()) counts.push_back({Tone::bad, "nothing measured"});
  if (const std::string loosened = loosened_words(report); !loosened.empty())
    counts.push_back({lacks_consent(*report.limits) ? Tone::bad : Tone::unsure, loosened});
  return counts;
}

std::vector<std::string> answer_facts(const RunReport& report) {
  std::vector<std::string> facts;
  const auto add = [&](const std::string& label, const std::string& value) {
    if (!value.empty()) facts.push_back(label + value);
  };
  add("commit ", short_commit(report.commit));
  std::set<std::string> bases;
  double seconds = 0;
  for (const Outcome& outcome : report.outcomes) {
    if (!outcome.baseline_commit.empty()) bases.insert(short_commit(outcome.baseline_commit));
    seconds += outcome.seconds;
  }
  if (bases.size() == 1) add("against ", *bases.begin());
  if (bases.size() > 1) facts.push_back(fmt::format("against baselines of {} commits", bases.size()));
  add("runner class ", report.runner_class);
  add("", emulated_gpu_of(report));
  add("", report.utc);
  if (seconds > 0) facts.push_back(duration_text(seconds * 1e9) + " of measured processes");
  add("stepgate ", report.stepgate_version);
  return facts;
}

std::vector<PageItem> answer_sentences(const GatePageInput& input) {
  std::vector<PageItem> sentences = verdict_sentences(input);
  const RunReport& report = input.report;
  if (const std::string loosened = loosened_words(report); !loosened.empty())
    sentences.push_back(
        {.label = "Limits:",
         .text = fmt::format("{}, first of all {}", loosened, limit_lines(*report.limits).front().text)});
  if (const std::string told = emulated_sentence(report); !told.empty())
    sentences.push_back({.label = "GPU:", .text = told});
  return sentences;
}

}  // namespace stepgate
