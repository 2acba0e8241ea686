// One case in this process: builds its workload as each pass needs it, runs the passes, and keeps what they found.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/record/run_record.h"
#include "measure/device/determinism.h"
#include "measure/device/device_side.h"
#include "measure/passes/timed_passes.h"
#include "measure/profile/profile_pass.h"
#include "measure/program/case/case_requests.h"
#include "measure/program/case/run_settings.h"
#include "measure/step/step_form.h"
#include "stepgate/perftest.h"

namespace stepgate {

/// The workload's own code threw. what() names case, pass, boundary and step.
class WorkloadFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

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
  void run_unguarded(Pass pass);
  void run_timed(Pass pass);
  void run_exact(Pass pass);
  void begin_exact();
  void end_exact(Pass pass);
  void run_numerics_pass(Backend& backend);
  bool ran_on_all_ranks(const std::function<void()>& pass) const;
  void drop_values_of_no_kernels();
  void run_numerics_as(Determinism determinism, Backend& backend);
  void count_work(Backend& backend);
  void count_primitives();
  void count_instructions();
  void keep_checkpoint(std::optional<CheckpointSaves> saves, const std::string& metric);
  void warm_up_once();
  void run_timed_pass(const PassRow& pass, TimedRun& run);
  RequestsAsked requests_asked() const;
  CopyTrials run_h2d();
  void run_device_work(TimedRun& run);
  ProfileRun run_profile_pass(TimedRun& run);
  BuiltStep build(bool exact);
  void keep_losses(std::string_view pass, TensorStep& step);
  std::string place_text() const;
  void keep_step_facts(const BuiltStep& built, Group group);

  Case case_;
  DeviceSide& device_;
  RunSettings settings_;
  std::unique_ptr<Backend> timed_backend_;
  std::optional<BuiltStep> timed_;  ///< the workload of the timed passes, once warm
  std::optional<BuiltStep> exact_;  ///< the workload of the exact pass that runs; kept after a failure
  struct Timeline;
  std::unique_ptr<Timeline> timeline_;
  const TensorStep* current_ = nullptr;  ///< running now: where a failure happened
  StepFacts facts_;                      ///< facts of the step that a pass ran over last
  std::int64_t builds_ = 0;              ///< builds of the workload; the ranks meet again for each one
  RunRecord found_;
  Fingerprint changed_settings_;                    ///< by the program within a pass (pass_settings.h)
  std::map<std::string, std::string> not_counted_;  ///< metric -> why an exact pass could not count it here
};

}  // namespace stepgate
