// A measurement reduced to the values that verdicts compare: one per clean replicate and metric.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/record/evidence_key.h"
#include "core/record/fingerprint.h"
#include "core/record/inference/inference_facts.h"
#include "core/record/inference/slow_requests.h"
#include "core/record/level_growth.h"
#include "core/record/run_record.h"
#include "core/stream_hazards.h"
#include "core/verdict/step_trend.h"
#include "core/verdict/verdict_reason.h"

namespace stepgate {

/// One process of group exact: its number, in which boundary its work and its peak were, and what its host ran.
struct ExactProcess {
  std::int64_t replicate = 0;
  std::map<std::string, std::map<std::string, std::int64_t>> by_boundary;  ///< as WorkCounts::by_boundary
  std::map<std::string, std::int64_t> peak_by_boundary;                    ///< as MemoryProfile::peak_by_boundary
  std::vector<std::int64_t> instructions = {};  ///< as InstructionCounts::per_step; empty where they were not counted
};

/// Losses of one process of group timed or exact, as RunRecord::losses.
struct ProcessLosses {
  Group group = Group::timed;
  std::int64_t replicate = 0;
  std::map<std::string, PassLosses> passes;
};

/// Values of one case. Timed values are in natural units (ns, tokens/s), one per clean replicate.
struct CaseValues {
  std::string case_name;
  std::map<std::string, std::vector<double>> timed;
  std::vector<StepTrend> step_trends;            ///< one per clean timed replicate with a trend
  std::vector<SlowRequests> slow_requests = {};  ///< one per clean timed replicate of an inference case
  /// Why an open loop says nothing, in the last process in which it does not; "": none.
  std::string queue_problem = {};
  bool queue_grew = false;  ///< in one of them; false: the requests only came too near to the capacity
  /// What an inference case must not do, in the first clean exact replicate, else timed one; absent for training.
  std::optional<InferenceFacts> inference = std::nullopt;
  /// metric -> replicate -> counted step
  std::map<std::string, std::vector<std::vector<std::int64_t>>> exact;
  std::map<std::string, std::vector<std::int64_t>> bytes;  ///< metric -> one value per replicate
  /// metric (OverSteps::growth) -> one per replicate, as `bytes`, which counts what lies below the noise floor as 0
  std::map<std::string, std::vector<LevelGrowth>> growth;
  std::vector<NumericTrace> numerics;    ///< one per replicate
  std::vector<KeptTensor> kept_tensors;  ///< as RunRecord::kept_tensors, of the first exact process, else a timed one
  std::vector<ProcessLosses> losses;     ///< of discarded processes too: interference changes no loss
  StepBoundaries boundaries;             ///< those of the first clean exact replicate, else timed one
  WorkCounts counts;                     ///< operators by boundary, in the first clean exact replicate
  std::map<std::string, std::int64_t> peak_by_boundary;  ///< likewise
  std::optional<MemoryLedger> ledger;                    ///< likewise
  std::map<std::string, ResourceRise> rises;             ///< likewise; as MemoryProfile::rises
  std::vector<ExactProcess> exact_processes;             ///< in the order of `exact`, `bytes` and `numerics`
  Fingerprint exact_fingerprint;                         ///< in-process facts of group exact merged over the host's
  Fingerprint timed_fingerprint;                         ///< the same for group timed
  std::map<std::string, std::string> absent;
  std::optional<StreamHazards> hazards = std::nullopt;          ///< absent: they were not looked for
  std::map<std::string, std::int64_t> background_threads = {};  ///< BackgroundCpu::threads of the last clean timed one
  std::optional<BackgroundCpu> exact_background = {};           ///< of the first clean exact one
  /// What the program did to itself, in its clean timed processes: own_wait_fraction and own_affinity_change, the
  /// highest.
  std::map<EvidenceKey, double> own_evidence = {};
  /// A clean timed process ran in alternating windows: what it used besides its own windows cannot be told.
  bool took_turns = false;
  std::int64_t clean_timed = 0;  ///< clean replicates that gave timed values
  std::int64_t clean_exact = 0;
  std::int64_t tainted = 0;
  std::int64_t set_aside = 0;                 ///< kept and not judged (Replicate::set_aside)
  std::string why_set_aside = {};             ///< of the last of them
  std::string why_tainted = {};               ///< the first reason of the last discarded one
  std::int64_t late_generators = 0;           ///< of the tainted: the generator of requests was late
  std::string why_generator_late = {};        ///< of the last of them
  std::int64_t e2e_steps = 0;                 ///< timed steps of the clean timed replicates together
  std::int64_t cold_steps = 0;                ///< the first step of a shape among these; excluded from the times
  std::int64_t skipped_steps = 0;             ///< in windows with a skipped update; also excluded
  std::int64_t unsteady = 0;                  ///< clean timed replicates that were not steady
  std::vector<std::string> unsteady_reasons;  ///< from the replicates that were not steady
  std::vector<std::string> failures;          ///< messages of failed replicates
  bool changed_setting = false;               ///< the first of them: the program set otherwise what was asked for
  bool infrastructure = false;                ///< the first of them: a GPU or its driver failed, twice
  bool needs_values = false;                  ///< the first of them: counts depend on numbers of the GPU
  bool unavailable = false;                   ///< nothing was measured because a device is missing
  /// The reason if no process could run here: `too_few_gpus` or `gpu_too_small`; else none.
  VerdictReason beyond_machine = {};
};

/// Whether one of its processes could run.
inline bool ran(const CaseValues& values) {
  return values.clean_exact + values.clean_timed + values.tainted + values.set_aside > 0;
}

}  // namespace stepgate
