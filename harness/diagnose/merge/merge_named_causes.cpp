#include "diagnose/merge/merge_named_causes.h"

#include <array>
#include <string_view>

#include "diagnose/both_sides.h"
#include "diagnose/work/model_size.h"

namespace stepgate {
namespace {

/// Which boundaries' operators a cause takes beside those of its own boundary.
struct Reach {
  std::string_view code;
  std::array<std::string_view, 3> boundaries;
  bool per_step = false;  ///< its sentence counts calls per step
};

// In the order in which they take: the later ones get what is left.
constexpr std::array<Reach, 5> reaches = {Reach{"batch-norm-added", {"forward", "backward", "optimizer"}, true},
                                          Reach{"parameters-added", {"forward", "backward", "optimizer"}},
                                          Reach{"gradients-zeroed", {"optimizer", "backward"}},
                                          Reach{"detach-lost", {"backward"}},
                                          Reach{"conversion-added", {"backward"}, true}};

void take_operators(const Reach& reach, std::string_view boundary, Fault& named, Faults& faults) {
  Fault* operators = boundary.empty() ? nullptr : added_operators(faults, boundary);
  if (operators == nullptr || is_host_sync(*operators)) return;
  // With more parameters an optimizer calls each operator more often: no loop in place of a batch.
  if (operators->finding.code == "loop-instead-of-batch" && boundary != "optimizer") return;
  if (reach.per_step && named.steps.empty()) named.steps = operators->steps;
  take_whole(*operators, named);
}

/// Takes growth of memory by at most so many bytes.
void take_memory(const Comparison& input, double bytes, Fault& named, Faults& faults) {
  const auto explained = [&](const char* metric) {
    const auto pair = bytes_pair(input, metric);
    return pair && static_cast<double>(pair->difference()) <= bytes;
  };
  Fault* kept = find_fault(faults, "kept-alive");
  if (kept != nullptr && explained("resident_bytes")) take_whole(*kept, named);
  Fault* peak = find_fault(faults, "peak-grew");
  if (peak != nullptr && explained("peak_allocated_bytes")) take_whole(*peak, named);
}

/// A parameter has a gradient and state of the optimizer, each a block of its own.
constexpr double blocks_per_parameter = 4;

void take_model_memory(const Comparison& input, Fault& named, Faults& faults) {
  const auto model = static_cast<double>(more_model_bytes(input));
  if (model == 0) return;
  const auto tensors = static_cast<double>(more_parameter_tensors(input).value_or(1));
  take_memory(input, model + allocated_more(input) + allocation_rounding * blocks_per_parameter * tensors, named,
              faults);
}

/// The gradients stay, and they are as large as the parameters.
void take_gradient_memory(const Comparison& input, Fault& named, Faults& faults) {
  if (!input.current.ledger) return;
  const auto parameters = input.current.ledger->bytes.find("parameters");
  if (parameters == input.current.ledger->bytes.end()) return;
  take_memory(input, static_cast<double>(parameters->second) + allocated_more(input), named, faults);
}

void take_growing_memory(Fault& named, Faults& faults) {
  for (const char* code : {"leak-grew", "counter-grew", "kept-alive", "peak-grew"}) {
    while (Fault* growth = find_fault(faults, code)) take_whole(*growth, named);
  }
}

void take_all_of(const Comparison& input, const Reach& reach, Fault& named, Faults& faults) {
  take_operators(reach, named.finding.boundary, named, faults);
  for (const std::string_view boundary : reach.boundaries) take_operators(reach, boundary, named, faults);
  if (reach.code == "batch-norm-added") {
    if (Fault* parameters = find_fault(faults, "parameters-added")) take_whole(*parameters, named);
  }
  if (reach.code == "batch-norm-added" || reach.code == "parameters-added") take_model_memory(input, named, faults);
  if (reach.code == "gradients-zeroed") take_gradient_memory(input, named, faults);
  if (reach.code == "detach-lost" && is_red(input, named.finding.metric) &&
      named.finding.metric != "operators_per_step")
    take_growing_memory(named, faults);
}

}  // namespace

void merge_named_causes(const Comparison& input, Faults& faults) {
  for (const Reach& reach : reaches) {
    if (Fault* named = find_fault(faults, reach.code)) take_all_of(input, reach, *named, faults);
  }
}

}  // namespace stepgate
