// A counter of work that also looks at each operator call.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <vector>

#include "measure/device/work/work_counter.h"
#include "measure/device/work/work_observer.h"

namespace stepgate {

/// Counts what `counter` counts, and flops_per_step and bytes_touched_per_step by an observer, which it runs in the
/// same steps. The observer calls no operator and requests no tensor memory, so the other counts stay what they are.
class ObservedCounter final : public WorkCounter {
 public:
  /// `parameters` is asked at start(): a user's loop names them in its first step.
  ObservedCounter(std::unique_ptr<WorkCounter> counter, const ObserverOptions& options,
                  std::function<std::vector<at::Tensor>()> parameters)
      : counter_(std::move(counter)), observer_(options), parameters_(std::move(parameters)) {}

  void start() override {
    observer_.know_parameters(parameters_());
    observer_.start();
    counter_->start();
  }
  void stop() override {
    counter_->stop();
    observer_.stop();
  }
  WorkTotals totals() override {
    WorkTotals totals = counter_->totals();
    const ObservedTotals observed = observer_.totals();
    totals.counters["flops_per_step"] = observed.flops;
    totals.counters["bytes_touched_per_step"] = observed.bytes;
    return totals;
  }
  void enter(std::string_view boundary) override { observer_.enter(boundary); }
  void leave() override { observer_.leave(); }
  void end_step() override { observer_.end_step(); }
  std::optional<ObservedWork> take_observed() override { return observer_.take(); }
  std::map<std::string, std::string> absent() const override { return counter_->absent(); }

 private:
  std::unique_ptr<WorkCounter> counter_;
  WorkObserver observer_;
  std::function<std::vector<at::Tensor>()> parameters_;
};

}  // namespace stepgate
