// A counter of work that also looks at each operator call.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernels/launch_name.h"
#include "core/record/wait_metric.h"
#include "measure/device/work/saved_tensors.h"
#include "measure/device/work/work_counter.h"
#include "measure/device/work/work_observer.h"

namespace stepgate {

/// Counts what `counter` counts, FLOPs, bytes touched, casts, copies and would-be syncs by an observer, and
/// saved_bytes_per_step by hooks of saved tensors, in the same steps. Neither calls an operator or requests tensor
/// memory, so the other counts stay what they are.
class ObservedCounter final : public WorkCounter {
 public:
  /// `parameters` is asked at start(): a user's loop names them in its first step.
  ObservedCounter(std::unique_ptr<WorkCounter> counter, const ObserverOptions& options,
                  std::function<std::vector<at::Tensor>()> parameters)
      : counter_(std::move(counter)),
        observer_(options),
        parameters_(std::move(parameters)),
        saved_([this](std::int64_t bytes) { return observer_.note_saved(bytes); }),
        hears_launches_(options.with_launches &&
                        counter_->tell_launches([this](std::string_view kernel) { observer_.note_launch(kernel); })) {}

  void start() override {
    const std::vector<at::Tensor> parameters = parameters_();
    observer_.know_parameters(parameters);
    observer_.start();
    saved_.start(parameters);
    counter_->start();
  }
  void stop() override {
    counter_->stop();
    saved_.stop();
    observer_.stop();
  }
  WorkTotals totals() override {
    WorkTotals totals = counter_->totals();
    const ObservedTotals observed = observer_.totals();
    totals.counters["flops_per_step"] = observed.flops;
    totals.counters["bytes_touched_per_step"] = observed.bytes;
    totals.counters["misaligned_matmul_flops_per_step"] = observed.misaligned_flops;
    add_by_name("casts_per_step", observed.casts, totals);
    totals.counters["cast_bytes_per_step"] = observed.cast_bytes;
    totals.counters["copy_bytes_per_step"] = observed.copy_bytes;
    add_by_name(std::string(would_sync_per_step), observed.waits, totals);
    if (hears_launches_) {
      add_by_name(std::string(own_kernels_metric), observed.launches.own_kernels, totals);
      add_by_name(std::string(library_calls_metric), observed.launches.library_calls, totals);
      unnamed_kernels_ = observed.launches.unnamed_kernels;
    }
    const SavedTotals saved = saved_.totals();
    totals.counters[saved_bytes_metric] = saved.bytes;
    totals.device_calls[saved_bytes_metric] = saved.by_operator;
    return totals;
  }
  void enter(std::string_view boundary) override { observer_.enter(boundary); }
  void leave() override { observer_.leave(); }
  void end_step() override { observer_.end_step(); }
  std::optional<ObservedWork> take_observed() override { return observer_.take(); }
  std::map<std::string, std::string> absent() const override {
    std::map<std::string, std::string> reasons = counter_->absent();
    const std::string of_saved = saved_.absent();
    if (!of_saved.empty()) reasons[saved_bytes_metric] = of_saved;
    if (const std::string of_launches = no_launches(reasons); !of_launches.empty()) {
      for (const std::string_view metric : {own_kernels_metric, library_calls_metric}) {
        reasons[std::string(metric)] = of_launches;
      }
    }
    return reasons;
  }

 private:
  /// Why own kernels and library calls are not counted; "" where they are, or where nothing is launched.
  std::string no_launches(const std::map<std::string, std::string>& reasons) const {
    if (!hears_launches_) return "";
    if (const auto kernels = reasons.find("kernels_per_step"); kernels != reasons.end()) return kernels->second;
    if (unnamed_kernels_ == 0) return "";
    return "CUPTI gave no name of " + std::to_string(unnamed_kernels_) + " kernels, so it is unknown whose they are";
  }

  /// A counter whose parts have names.
  static void add_by_name(const std::string& metric, const std::map<std::string, std::int64_t>& calls,
                          WorkTotals& totals) {
    std::int64_t sum = 0;
    for (const auto& [name, number] : calls) sum += number;
    totals.counters[metric] = sum;
    totals.device_calls[metric] = calls;
  }

  std::unique_ptr<WorkCounter> counter_;
  WorkObserver observer_;
  std::function<std::vector<at::Tensor>()> parameters_;
  SavedTensors saved_;
  bool hears_launches_ = false;
  std::int64_t unnamed_kernels_ = 0;
};

}  // namespace stepgate
