// A step with a slower loader, with a synchronisation at each boundary, or with something to do before each of them.
// Everything else is the step's own.
#pragma once

#include <functional>
#include <optional>

#include "measure/device/backend.h"
#include "measure/profile/experiments/loader_pace.h"
#include "measure/step/step_actions.h"

namespace stepgate {

class AlteredStep final : public StepActions {
 public:
  /// `wait_until` keeps the host busy until that time of the backend's clock. All must outlive this.
  AlteredStep(StepActions& step, Backend& backend, std::function<void(std::int64_t until_ns)> wait_until)
      : step_(step), backend_(backend), wait_until_(std::move(wait_until)) {}

  /// nullopt: as fast as it is.
  void set_pace(std::optional<LoaderPace> pace) { pace_ = std::move(pace); }
  void set_sync(bool each_boundary) { sync_ = each_boundary; }
  /// Called before the work of each boundary; empty: nothing is.
  void set_before(std::function<void(Boundary)> before) { before_ = std::move(before); }

  void run(Boundary boundary, std::int64_t step) override;
  const StepBoundaries& boundaries() const override { return step_.boundaries(); }
  BatchInfo batch_info() const override { return step_.batch_info(); }
  void release() override { step_.release(); }
  /// The abilities that change the step. Exact passes do not run over it.
  StepAbilities abilities() override { return {.switches = step_.abilities().switches}; }

 private:
  void load(std::int64_t step);
  void run_unpaced(Boundary boundary, std::int64_t step);

  StepActions& step_;
  Backend& backend_;
  std::function<void(std::int64_t until_ns)> wait_until_;
  std::optional<LoaderPace> pace_;
  bool sync_ = false;
  std::function<void(Boundary)> before_ = {};
};

}  // namespace stepgate
