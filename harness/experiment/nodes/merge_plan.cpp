#include "experiment/nodes/merge_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/leading_time.h"
#include "core/text/number_format.h"
#include "experiment/ab_cases.h"
#include "experiment/nodes/node_decisions.h"
#include "experiment/nodes/node_place.h"
#include "experiment/nodes/planned_run.h"
#include "experiment/pairs/resumption.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/results/begin_results.h"
#include "experiment/results/report_files.h"
#include "experiment/results/result_inputs.h"
#include "judge/reduce/pairs/reduce_pairs.h"
#include "judge/reduce/waiting_sides.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// Pairs before the end of the case, where one was decided; what came after it is left out, whoever was faster.
std::vector<const NodeResult*> counted_pairs(const OpenedPlan& opened, const PlannedCase& planned,
                                             const NodeResults& results) {
  std::vector<const NodeResult*> pairs = results.sequence(planned, true).pairs;
  const auto end = decided_end(opened, planned.plan.case_name);
  if (end) std::erase_if(pairs, [&](const NodeResult* pair) { return pair->index >= *end; });
  return pairs;
}

std::string note_of_places(const std::vector<const NodeResult*>& pairs) {
  std::map<std::string, std::vector<MeasuredPair>> by_place;
  for (const NodeResult* pair : pairs) by_place[pair->place].push_back(measured_pair(*pair));
  std::vector<std::string> rows;
  for (const auto& [place, of_place] : by_place) {
    const PairedValues values = paired_values(of_place);
    const auto steps = values.timed.find(leading_time_of(values.timed));
    double sum = 0;
    std::size_t count = 0;
    if (steps != values.timed.end()) {
      for (const Pair& pair : steps->second) sum += std::log(pair.head / pair.base);
      count = steps->second.size();
    }
    rows.push_back(count == 0
                       ? fmt::format("{} no clean pair", place)
                       : fmt::format("{} {} ({})", place, change_text(std::expm1(sum / static_cast<double>(count))),
                                     counted(count, "pair")));
  }
  return rows.size() < 2 ? "" : fmt::format("step time by node: {}", fmt::join(rows, "; "));
}

/// If half of the nodes or more favour a side, nothing is known about either side, and a red that the largest of their
/// shifts may explain stays open. Its node gave no pair of the red, so it is the control of no case: what favours a
/// side on one node may do so harder on another. Otherwise the first node that does not stands for the run.
std::optional<ControlResult> control_of(const std::vector<NodeControl>& controls) {
  const auto rejected =
      std::count_if(controls.begin(), controls.end(), [](const NodeControl& one) { return one.rejected; });
  const bool too_many = 2 * rejected >= std::ssize(controls);
  const NodeControl* chosen = nullptr;
  for (const NodeControl& control : controls) {
    if (control.rejected != too_many) continue;
    if (chosen != nullptr && (!too_many || control.largest_shift <= chosen->largest_shift)) continue;
    chosen = &control;
  }
  if (chosen == nullptr) return std::nullopt;
  ControlResult result = chosen->result;
  if (too_many) result.case_name.clear();
  return result;
}

void write_pairs(const PairCase& merged, const std::vector<MeasuredPair>& pairs) {
  for (const MeasuredPair& pair : pairs) {
    const fs::path folder = merged.folder / "pairs" / fmt::format("{:03}", pair.index);
    write_measurement(folder / "base", pair.base);
    write_measurement(folder / "head", pair.head);
  }
}

/// The inputs at the time when the plan was made; nodes that have others measure nothing.
ResultInputs inputs_of(const PlannedCase& planned) {
  ResultInputs inputs{{"program", planned.plan.head_digest}, {"base", planned.plan.base_digest}};
  if (!planned.policy_digest.empty()) inputs["policy"] = planned.policy_digest;
  return inputs;
}

class Merging {
 public:
  Merging(const Run& run, const OpenedPlan& opened) : run_(run), opened_(opened), results_(opened) {
    results_.read_new();
    refuse_unlike_nodes();
    NodeDecisions(run, opened).look(results_);  // where no coordinator looked
    controls_ = results_.controls();
    tell_controls();
    for (Notice& notice : uncounted_results(results_)) say(std::move(notice));
  }

  /// Writes no file yet.
  PairMeasurement measured_of(const PlannedCase& planned) {
    PairMeasurement measured{.pair_case = pair_case_to_judge(run_, planned)};
    const auto pairs = counted_pairs(opened_, planned, results_);
    for (const NodeResult* pair : pairs) measured.timed.pairs.push_back(measured_pair(*pair));
    set_aside_where_busy(measured.timed.pairs);
    measured.timed.finished = true;
    if (const NodeResult* exact = results_.exact(planned.plan.case_name)) {
      measured.exact = ExactMeasurements{exact->base, exact->head, exact->interleaved};
    }
    refuse_nothing(planned, measured);
    tell_missing(planned, measured);
    measured.control = control_of(controls_);
    return measured;
  }

  Outcome outcome_of(const PlannedCase& planned, PairMeasurement& measured) const {
    write_files(measured);
    Outcome outcome = judge_ab_case(run_, measured);
    outcome.inputs = inputs_of(planned);
    const std::string rows = note_of_places(counted_pairs(opened_, planned, results_));
    if (!rows.empty()) {
      outcome.findings.push_back({.code = FindingCode::nodes,
                                  .severity = Severity::note,
                                  .message = rows,
                                  .advice = "",
                                  .metric = "step_time_ns"});
    }
    return outcome;
  }

  std::vector<Notice> take_notices() { return std::move(notices_); }

 private:
  void say(Notice notice) { tell(run_.caller, std::move(notice), notices_); }

  void refuse_unlike_nodes() {
    const std::string unlike = allowed_difference(opened_, results_);
    if (unlike.empty()) return;
    say({Severity::warning, "the nodes differ: " + unlike,
         "pairs cancel how fast a node is, not how it answers to a change"});
  }

  void tell_controls() {
    for (const NodeControl& control : controls_) {
      if (!control.rejected) continue;
      say({Severity::warning,
           fmt::format("{}: the base differs from its own copy there: none of its pairs count", control.place),
           "see what favours one side on that machine: stepgate doctor"});
    }
  }

  void refuse_nothing(const PlannedCase& planned, const PairMeasurement& measured) const {
    if (measured.exact || !measured.timed.pairs.empty()) return;
    throw Error(ErrorKind::measure, fmt::format("{}: no node handed back any result", planned.plan.case_name),
                fmt::format("run the shards: stepgate shard run {} 1", opened_.folder.string()));
  }

  void tell_missing(const PlannedCase& planned, const PairMeasurement& measured) {
    const std::string& name = planned.plan.case_name;
    if (wants_exact(opened_.plan.tier) && !measured.exact) {
      say({Severity::warning, fmt::format("{}: the exact half did not come", name), "run its shard again"});
    }
    const auto end = decided_end(opened_, name).value_or(planned.tries);
    auto missing = results_.sequence(planned, true).missing;
    std::erase_if(missing, [&](std::int64_t index) { return index >= end; });
    const bool enough = clean_pairs(measured.timed.pairs) >= planned.plan.most_pairs;
    if (missing.empty() || enough) return;
    say({Severity::warning,
         fmt::format("{}: {} did not come: {} left", name, counted(missing.size(), "pair"),
                     measured.timed.pairs.size()),
         "fewer than 8 clean pairs never make a red"});
  }

  void write_files(PairMeasurement& measured) const {
    PairCase& merged = measured.pair_case;
    prepare_result_folder(merged.folder);
    begin_plan(merged.folder, merged.plan);
    write_pairs(merged, measured.timed.pairs);
    if (measured.exact) {
      write_measurement(merged.folder / "exact" / "base", measured.exact->base);
      write_measurement(merged.folder / "exact" / "head", measured.exact->head);
    }
    complete_plan(merged.folder, merged.plan);
  }

  const Run& run_;
  const OpenedPlan& opened_;
  NodeResults results_;
  std::vector<NodeControl> controls_;
  std::vector<Notice> notices_;
};

}  // namespace

std::vector<ResultName> names_of_results(const OpenedPlan& opened) {
  std::vector<ResultName> names;
  for (const PlannedCase& planned : opened.plan.cases) names.push_back({planned.plan.case_name, result_of_pairs});
  return names;
}

JudgedRun merge_plan(const Run& run, const OpenedPlan& opened) {
  Merging merging(run, opened);
  std::vector<PairMeasurement> measured;
  for (const PlannedCase& planned : opened.plan.cases) measured.push_back(merging.measured_of(planned));
  begin_results(run.caller, run.project, names_of_results(opened));

  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    Outcome outcome = merging.outcome_of(opened.plan.cases[i], measured[i]);
    write_report(run.caller, run.project, measured[i].pair_case.folder, report_of(run.project, {outcome}));
    outcomes.push_back(std::move(outcome));
  }
  const RunReport report = report_of(run.project, std::move(outcomes));
  write_comparison(run.caller, run.project, report);
  return {.report = report, .notices = merging.take_notices()};
}

}  // namespace stepgate
