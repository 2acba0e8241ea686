// The complete result of a gate run. report/ renders it and reads nothing else.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/record/batch_lengths.h"
#include "core/record/fingerprint.h"
#include "core/record/measurement.h"
#include "core/verdict/limit_change.h"
#include "core/verdict/losses/judged_losses.h"
#include "core/verdict/metric_background.h"
#include "core/verdict/result_kind.h"
#include "core/verdict/step_distribution.h"
#include "core/verdict/tier_choice.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// One case: verdict, explanation, and what to do next.
struct Outcome {
  CaseVerdict verdict;
  ResultKind kind = {};
  bool pairs_decided = false;  ///< pairs with a base build decided its times, in `ab` or where a gate confirmed a red
  std::vector<Finding> findings;
  std::vector<ReplicateFailure> failures;
  std::string reproduce_command;
  std::string accept_command;  ///< "" where there is nothing to accept
  std::string pending_path;    ///< "" where none was written
  /// Digest of each pending file as it was written. Another run may have replaced the file since.
  std::vector<std::string> pending_digests = {};
  std::string baseline_path;     ///< the file of the comparison, "" if none
  std::string baseline_summary;  ///< "9f2c1, 12 days old, 5 sessions", "" if none
  std::string baseline_commit;   ///< "9f2c1", "" if none or unknown
  std::optional<std::int64_t> baseline_age_s;
  std::vector<MetricBackground> backgrounds;    ///< earlier values and the baseline's line, where known
  std::vector<StepDistribution> distributions;  ///< times of the current side, if they were measured
  Fingerprint fingerprint;
  double seconds = 0;  ///< wall time of the measured processes together
  /// Lengths of the counted batches, else of those of a timed process; absent if batches have no tokens.
  std::optional<BatchLengths> batch_lengths = std::nullopt;
  std::optional<JudgedLosses> losses = std::nullopt;  ///< absent where programs are older, or compute no loss
  /// Digests of the files that the verdict rests on, by role (experiment/results/result_inputs.h); empty where unknown.
  std::map<std::string, std::string> inputs = {};
};

/// One command that judges what a report left unjudged, as far as this machine can.
struct JudgingCommand {
  std::string text = {};                ///< "" where no command helps
  std::int64_t halves = 0;              ///< so many halves
  bool against_base = false;            ///< by pairs with a base build: on a branch only
  std::optional<double> fewest_s = {};  ///< by what their processes took here; absent where that is not known
  std::optional<double> most_s = {};
};

struct RunReport {
  std::string utc;
  std::string commit;
  std::string runner_class;
  std::string stepgate_version;
  std::vector<Outcome> outcomes;            ///< worst first
  std::vector<std::string> expected_cases;  ///< from the manifest; empty if unknown
  std::vector<std::string> missing_cases;   ///< expected but not measured
  /// Cases of which a gate judges this half only: `TIERS exact`, and programs that count nothing.
  std::map<std::string, TierChoice> one_half = {};
  JudgingCommand judging = {};             ///< what would judge the halves that were not judged
  std::string suite = {};                  ///< which `report --begin` it came after, "" for none
  std::optional<LimitReview> limits = {};  ///< absent without a base build: nothing was compared
};

/// Status of the whole suite: the worst of its cases; failed if nothing was measured or a case is missing; at least
/// regressed while a limit is loosened without the consent that the base asks for.
Status suite_status(const RunReport& report);

/// docs/design/command_line.md, "Exit status": over a suite the order is 2 > 3 > 1 > 4 > 5 > 77 > 0.
int exit_status(const RunReport& report);
int exit_status(Status status);

/// Whether a gating metric has nothing to compare with because the tree under test is another one. Such a report is a
/// failure where a missing baseline is only skipped.
bool has_changed_tree(const RunReport& report);

}  // namespace stepgate
