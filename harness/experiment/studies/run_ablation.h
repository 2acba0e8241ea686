// An ablation: what each knob does to the noise of one case, from pairs of fresh processes that differ in one knob.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/study/ablation.h"
#include "experiment/host/quiet_host.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/measure_options.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Pairs of each knob unless told otherwise: enough to tell a spread halved from one unchanged.
inline constexpr std::int64_t default_ablation_pairs = 12;

struct AblationOptions {
  std::string case_name;
  MeasureOptions measure = {};
  HostOptions host = {};  ///< every knob that this machine has in this mode, or those of host.knobs
  std::int64_t pairs = default_ablation_pairs;
  std::optional<std::uint64_t> order_seed = {};  ///< seed that draws the side that runs first; absent: from the clock
};

/// What counts as quiet on this machine, from processes with every knob of a mode on.
struct QuietWaits {
  std::int64_t processes = 0;
  double median = 0;  ///< median of runqueue_wait_fraction
  double high = 0;    ///< its 99th percentile
};

struct AblationResult {
  Ablation ablation;
  std::filesystem::path file;             ///< ablation.json
  std::optional<QuietWaits> quiet_waits;  ///< absent where there were too few processes
};

/// Measures round after round, in each round a pair of every knob, and decides which knobs are worth using. After a
/// signal the complete pairs are judged, marked as interrupted. Throws Error(usage) for a plain Google Benchmark
/// program, whose steps are not seen, and if none of the knobs can be set here.
AblationResult run_ablation(const Project& project, const AblationOptions& options, const Caller& caller);

}  // namespace stepgate
