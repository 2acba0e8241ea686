// What the observer does at the begin and at the end of each operator. Its callers are LibTorch's callbacks
// (work_observer.cpp).
#pragma once

#include <ATen/record_function.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/record/observed_work.h"
#include "measure/device/work/observed_totals.h"
#include "measure/device/work/observer_options.h"
#include "measure/device/work/open_calls.h"
#include "measure/device/work/operators/noted_launches.h"
#include "measure/device/work/program_image.h"

namespace stepgate {

class Observation {
 public:
  explicit Observation(const ObserverOptions& options);

  void know_parameters(const std::vector<at::Tensor>& parameters);
  void start();
  void enter(std::string_view boundary);
  void leave() { boundary_ = no_boundary; }
  void end_step() { ++steps_; }
  ObservedTotals totals();
  ObservedWork take();

  /// Called on any thread.
  void begin(const at::RecordFunction& call);
  void end(const at::RecordFunction& call);
  void begin_node(const at::RecordFunction& node);
  void end_node();
  std::string note_saved(std::int64_t bytes);
  void note_launch(std::string_view kernel);

 private:
  static constexpr std::int32_t no_boundary = -1;

  ThreadCalls& calls_of_thread() const;
  const OperatorTraits* traits(ThreadCalls& thread, const at::RecordFunction& call);
  std::int32_t boundary_of(const ThreadCalls& thread) const;
  void check_lines();
  std::string origin_of(const c10::TensorImpl& tensor) const;
  void decide_wait(c10::ArrayRef<const c10::IValue> inputs, const OpenCall* parent, OpenCall& open) const;
  void describe(const at::RecordFunction& call, OpenCall& open);
  static void count_flops(const OpenCall& open, CallWork& work);
  void add_to_totals(const OpenCall& open, const CallWork& work);
  void keep(const at::RecordFunction& call, OpenCall& open, const OperandSums& outputs, CallWork& work);

  ObserverOptions options_;
  ProgramImage image_;
  std::vector<const c10::TensorImpl*> parameters_;
  std::unordered_set<const c10::TensorImpl*> parameter_set_;
  std::thread::id step_thread_;
  std::uint64_t run_ = 0;  ///< tells its calls on a thread from those of an earlier observation
  bool unwinds_ = false;
  std::string not_lines_;
  std::int64_t steps_ = 0;
  std::atomic<std::int32_t> boundary_ = no_boundary;

  std::mutex mutex_;  ///< guards everything below
  CallSites sites_;
  TensorMakers makers_;
  std::deque<OperatorTraits> operators_;
  std::unordered_map<const char*, const OperatorTraits*> operators_by_name_;
  std::unordered_map<std::uint64_t, ForwardPlaces> forward_places_;  ///< by thread
  ObservedTotals totals_;
  NotedLaunches launches_;
};

}  // namespace stepgate
