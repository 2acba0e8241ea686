// The command line as the options of each experiment.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/options/options.h"
#include "experiment/ab.h"
#include "experiment/comparison.h"
#include "experiment/gate.h"
#include "experiment/measurement.h"
#include "experiment/nodes/make_plan.h"
#include "experiment/nodes/make_sweep_plan.h"
#include "experiment/nodes/shard_run.h"
#include "experiment/studies/ablation.h"
#include "experiment/studies/profile.h"
#include "experiment/studies/profile_difference.h"
#include "experiment/studies/saved_law.h"
#include "experiment/swept/sweep.h"

namespace stepgate {

ProjectOptions project_options(const Options& options);
TierChoice tier_choice(const Options& options);
Selection selection(const Options& options);
MeasureOptions measure_options(const Options& options);
HostOptions host_options(const Options& options);
PairOptions pair_options(const Options& options);

AbOptions ab_options(const Options& options);
/// Of `plan ab`, and of `ab --nodes`: --shards where `shards` is absent.
NodePlanOptions node_plan_options(const Options& options, std::optional<std::int64_t> shards);
NodeSweepOptions node_sweep_options(const Options& options, std::optional<std::int64_t> shards);
ShardRunOptions shard_run_options(const Options& options);
/// The plan folder that merge names. Throws Error(usage) unless one is named.
std::filesystem::path plan_argument(const Options& options);
GateOptions gate_options(const Options& options);
CheckOptions check_options_of(const Options& options);
MeasurementOptions measurement_options(const Options& options);
/// Throws Error(usage) unless two files or folders are named.
ComparisonOptions comparison_options(const Options& options);
/// All four throw Error(usage) unless one case is named.
SweepOptions sweep_options(const Options& options);
SavedLawOptions saved_law_options(const Options& options);
ProfileOptions profile_options(const Options& options);
ProfileDifferenceOptions profile_difference_options(const Options& options);
AblationOptions ablation_options(const Options& options);

/// "governor,turbo": words separated by commas.
std::vector<std::string> comma_separated(const std::string& text);

/// Throws Error(usage) where a command that takes no argument has one.
void refuse_arguments(const Options& options, const std::string& remedy);

}  // namespace stepgate
