// The step of a WholeStepWorkload: one call in place of forward, backward and optimizer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "measure/step/torch_step.h"
#include "measure/step/whole_step.h"
#include "stepgate/whole_step_workload.h"

namespace stepgate {

class TorchWholeStep final : public TorchStep {
 public:
  /// Both must outlive this.
  TorchWholeStep(WholeStepWorkload& workload, BatchCopier& copier);

  /// Throws Error(usage) where the loss of the step is not one number.
  void run(Boundary boundary, std::int64_t step) override;
  void release() override;
  Boundary loss_boundary() const override { return whole_step_boundary; }
  std::map<std::string, std::int64_t> held_graphs() const override;
  std::string_view keeps_optimizer() const override;
  StepFacts facts(const PassSeen& seen) const override;

 private:
  std::optional<GraphFacts> graphs() const override { return workload_.graphs(); }

  WholeStepWorkload& workload_;
  bool asked_for_graphs_ = false;
};

}  // namespace stepgate
