// One case in this process: builds its workload as each pass needs it, runs the passes, and keeps what they found.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "core/process_place.h"
#include "core/record/run_record.h"
#include "measure/device/cpu/instruction_counter.h"
#include "measure/device/cpu/primitive_watch.h"
#include "measure/device/device_side.h"
#include "measure/passes/timed_passes.h"
#include "measure/profile/profile_pass.h"
#include "measure/ranks/rank_context.h"
#include "measure/step/loop_facts.h"
#include "measure/step/whole_step.h"
#include "stepgate/perftest.h"

namespace stepgate {

/// What a run needs beyond its case.
struct RunSettings {
  std::uint64_t seed = Plan{}.seed;
  std::int64_t threads = 1;  ///< intra-op threads of timed passes
  std::filesystem::path data_dir;
  std::filesystem::path record = {};  ///< checkpoints are written beside it; empty: below the folder of temporary files
  StepCounts steps;
  RankContext rank_context = {};
  ProfileChoice profile = {};                     ///< group profile
  std::function<void()> yield = {};               ///< TimedRun::yield
  std::shared_ptr<ProcessPlace> place = nullptr;  ///< where the launcher can read it; nullptr: nobody reads it
};

/// The workload's own code threw. what() names case, pass, boundary and step.
class WorkloadFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The passes of a group, in the order in which they run. Group reference runs e2e only.
std::vector<Pass> passes_of(Group group);
/// False for passes that a loop of the user's own cannot run (their metrics are absent with a reason, loop_facts.h),
/// and for an optional pass without steps.
bool can_run(const Case& test_case, Pass pass, const StepCounts& steps);

class CaseRun {
 public:
  /// `device` must outlive this. Builds nothing yet.
  CaseRun(const Case& test_case, DeviceSide& device, const RunSettings& settings);
  ~CaseRun();
  CaseRun(const CaseRun&) = delete;
  CaseRun& operator=(const CaseRun&) = delete;

  /// Timed passes share one workload, built and warmed up before the first of them; each exact pass builds its own,
  /// from the same seed, on one thread, with CPU allocations counted. Throws WorkloadFailure, or Error naming case
  /// and pass.
  void run(Pass pass);

  /// What the passes have found so far: their samples, without what describes the process.
  const RunRecord& found() const { return found_; }

  /// The whole record of `group`. The samples move into it: call this once, after the last pass.
  RunRecord take_record(Group group);

 private:
  struct Built;
  void run_unguarded(Pass pass);
  void run_timed(Pass pass);
  void run_exact(Pass pass);
  void begin_exact();
  void end_exact();
  void count_work(Backend& backend);
  std::variant<std::unique_ptr<PrimitiveWatch>, std::string> primitive_watch() const;
  void count_primitives();
  void count_instructions();
  void keep_checkpoint(std::optional<CheckpointSaves> saves, const std::string& metric);
  OpenedInstructionCounter instruction_counter() const;
  void warm_up_once();
  void run_timed_pass(const PassRow& pass, TimedRun& run);
  CopyTrials run_h2d();
  void run_device_work(TimedRun& run);
  ProfileRun run_profile_pass(TimedRun& run);
  std::unique_ptr<Built> build(bool exact);
  std::unique_ptr<Built> build_step(const CaseContext& context);
  std::string place_text() const;
  void look_at(const Built& built);

  Case case_;
  DeviceSide& device_;
  RunSettings settings_;
  std::unique_ptr<Backend> timed_backend_;
  std::unique_ptr<Built> timed_;  ///< the workload of the timed passes, once warm
  std::unique_ptr<Built> exact_;  ///< the workload of the exact pass that runs; kept after a failure
  struct Timeline;
  std::unique_ptr<Timeline> timeline_;
  const Built* current_ = nullptr;  ///< running now: where a failure happened
  std::string data_digest_;
  std::optional<std::int64_t> compile_seconds_;
  std::int64_t builds_ = 0;                   ///< of a workload; the ranks meet again for each build
  LoopFacts loop_facts_;                      ///< of a case with a loop, by its last pass
  std::optional<WholeStepFacts> whole_step_;  ///< of a workload whose step is one call
  RunRecord found_;
  Fingerprint changed_settings_;                    ///< by the program within a pass (pass_settings.h)
  std::map<std::string, std::string> not_counted_;  ///< metric -> why an exact pass could not count it here
};

}  // namespace stepgate
