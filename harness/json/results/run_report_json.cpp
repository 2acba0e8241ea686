#include "json/results/run_report_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "json/records/failure_value.h"
#include "json/results/limit_review_value.h"
#include "json/results/verdict_value.h"
#include "json/text/canonical_text.h"

namespace stepgate {
namespace {

Json value_of(const std::vector<StepDistribution>& distributions) {
  Json values = Json::array();
  for (const StepDistribution& one : distributions) {
    Json& value = values.emplace_back(Json{{"what", one.what},
                                           {"unit", name_of(one.unit)},
                                           {"n", one.n},
                                           {"processes", one.processes},
                                           {"mean_ns", one.mean_ns},
                                           {"median_ns", one.median_ns}});
    if (one.sd_ns) value["sd_ns"] = *one.sd_ns;
    if (one.p95_ns) value["p95_ns"] = *one.p95_ns;
    if (one.p99_ns) value["p99_ns"] = *one.p99_ns;
    value["min_ns"] = one.min_ns;
    value["max_ns"] = one.max_ns;
  }
  return values;
}

StepDistribution distribution_at(Reader reader) {
  const auto optional_number = [&](const char* key) {
    const auto found = reader.find(key);
    return found ? std::optional(found->number()) : std::nullopt;
  };
  return {.what = reader.at("what").text(),
          .unit = reader.at("unit").one_of(distribution_unit_named, "step, window, process, copy"),
          .n = reader.at("n").count(),
          .processes = reader.at("processes").count(),
          .mean_ns = reader.at("mean_ns").number(),
          .median_ns = reader.at("median_ns").number(),
          .sd_ns = optional_number("sd_ns"),
          .p95_ns = optional_number("p95_ns"),
          .p99_ns = optional_number("p99_ns"),
          .min_ns = reader.at("min_ns").number(),
          .max_ns = reader.at("max_ns").number()};
}

Json value_of(const BatchLengths& lengths) {
  Json bins = Json::array();
  for (const LengthBin& bin : lengths.bins) bins.push_back({{"from", bin.from}, {"to", bin.to}, {"steps", bin.steps}});
  return {{"bins", bins}, {"padding_ratio", lengths.padding_ratio}};
}

BatchLengths lengths_at(Reader reader) {
  return {.bins = reader.at("bins").list_of([](Reader bin) {
            return LengthBin{bin.at("from").integer(), bin.at("to").integer(), bin.at("steps").count()};
          }),
          .padding_ratio = reader.at("padding_ratio").number()};
}

Json value_of(const JudgedLosses& losses) {
  return {
      {"last_step", losses.last_step}, {"seen", losses.seen}, {"steps", losses.steps}, {"compared", losses.compared}};
}

JudgedLosses losses_at(Reader reader) {
  return {.last_step = reader.at("last_step").count(),
          .seen = reader.at("seen").count(),
          .steps = reader.at("steps").count(),
          .compared = reader.at("compared").count()};
}

Json value_of(const Outcome& outcome) {
  constexpr std::size_t most_members = 32;
  Json value = object_with_room(most_members);
  value["group"] = name_of(outcome.kind);
  add_verdict(value, outcome.verdict);
  Json& findings = value["findings"] = Json::array();
  for (const Finding& finding : outcome.findings) findings.push_back(stepgate::value_of(finding));
  Json& failures = value["failures"] = Json::array();
  for (const ReplicateFailure& failure : outcome.failures) failures.push_back(stepgate::value_of(failure));
  value["commands"] = {{"reproduce", outcome.reproduce_command}, {"accept", outcome.accept_command}};
  value["pending_path"] = outcome.pending_path;
  if (!outcome.pending_digests.empty()) value["pending_digests"] = outcome.pending_digests;
  Json& baseline = value["baseline"] = {{"path", outcome.baseline_path}, {"summary", outcome.baseline_summary}};
  if (!outcome.baseline_commit.empty()) baseline["commit"] = outcome.baseline_commit;
  if (outcome.baseline_age_s) baseline["age_s"] = *outcome.baseline_age_s;
  if (!outcome.backgrounds.empty()) value["background"] = stepgate::value_of(outcome.backgrounds);
  if (!outcome.distributions.empty()) value["distributions"] = value_of(outcome.distributions);
  if (outcome.batch_lengths) value["batch_lengths"] = value_of(*outcome.batch_lengths);
  if (outcome.losses) value["losses"] = value_of(*outcome.losses);
  value["fingerprint"] = outcome.fingerprint;
  value["seconds"] = outcome.seconds;
  if (!outcome.inputs.empty()) value["inputs"] = outcome.inputs;
  return value;
}

Outcome outcome_at(Reader reader) {
  Outcome outcome;
  outcome.verdict = verdict_at(reader);
  outcome.kind =
      reader.at("group").one_of(result_kind_named, "exact, timed, all, ab, compare, compare-exact, compare-timed");
  outcome.findings = reader.at("findings").list_of(finding_at);
  outcome.failures = reader.at("failures").list_of(failure_at);
  Reader commands = reader.at("commands");
  outcome.reproduce_command = commands.at("reproduce").text();
  outcome.accept_command = commands.at("accept").text();
  outcome.pending_path = reader.at("pending_path").text();
  if (auto digests = reader.find("pending_digests")) outcome.pending_digests = digests->texts();
  Reader baseline = reader.at("baseline");
  outcome.baseline_path = baseline.at("path").text();
  outcome.baseline_summary = baseline.at("summary").text();
  if (auto commit = baseline.find("commit")) outcome.baseline_commit = commit->text();
  if (auto age = baseline.find("age_s")) outcome.baseline_age_s = age->integer();
  if (auto background = reader.find("background")) outcome.backgrounds = background->list_of(background_at);
  if (auto found = reader.find("distributions")) outcome.distributions = found->list_of(distribution_at);
  if (auto found = reader.find("batch_lengths")) outcome.batch_lengths = lengths_at(*found);
  if (auto found = reader.find("losses")) outcome.losses = losses_at(*found);
  outcome.fingerprint = reader.at("fingerprint").text_map();
  outcome.seconds = reader.at("seconds").number();
  if (auto inputs = reader.find("inputs")) outcome.inputs = inputs->text_map();
  // A gate rests on a base build only where it confirmed by pairs.
  outcome.pairs_decided = outcome.kind == result_of_pairs || outcome.inputs.contains("base_path");
  return outcome;
}

/// The number of outcomes of each status, from worst to best; a status without a case is omitted.
Json tally_of(const RunReport& report) {
  Json tally = Json::object();
  for (Status status : case_statuses) {
    const auto count = std::count_if(report.outcomes.begin(), report.outcomes.end(),
                                     [&](const Outcome& outcome) { return outcome.verdict.status == status; });
    if (count > 0) tally[std::string(name_of(status))] = count;
  }
  return tally;
}

RunReport report_at(Reader reader) {
  reader.check_schema();
  RunReport report{.utc = reader.at("utc").text(),
                   .commit = reader.at("commit").text(),
                   .runner_class = reader.at("runner_class").text(),
                   .stepgate_version = reader.at("stepgate_version").text(),
                   .outcomes = reader.at("outcomes").list_of(outcome_at),
                   .expected_cases = reader.at("expected_cases").texts(),
                   .missing_cases = reader.at("missing_cases").texts()};
  if (auto suite = reader.find("suite")) report.suite = suite->text();
  if (auto limits = reader.find("limits")) report.limits = limit_review_at(*limits);
  const Reader status = reader.at("exit_status");
  if (status.integer() != exit_status(report)) {
    status.expected(fmt::format("{}, which is what the outcomes add up to", exit_status(report)));
  }
  return report;
}

}  // namespace

std::string to_text(const RunReport& report) {
  Json document = document_of(verdict_document);
  document["exit_status"] = exit_status(report);
  document["status"] = name_of(suite_status(report));
  document["outcomes_by_status"] = tally_of(report);
  document["utc"] = report.utc;
  document["commit"] = report.commit;
  document["runner_class"] = report.runner_class;
  if (!report.suite.empty()) document["suite"] = report.suite;
  document["stepgate_version"] = report.stepgate_version;
  if (report.limits) document["limits"] = stepgate::value_of(*report.limits);
  document["expected_cases"] = report.expected_cases;
  document["missing_cases"] = report.missing_cases;
  Json& outcomes = document["outcomes"] = Json::array();
  for (const Outcome& outcome : report.outcomes) outcomes.push_back(value_of(outcome));
  return canonical_text(document, {"verdict", verdict_document});
}

RunReport run_report_from_text(std::string_view text, const std::string& source) {
  const Origin origin{source, verdict_document};
  const DocumentTree document = read_document(text, origin);
  return report_at(Reader(document, origin));
}

}  // namespace stepgate
