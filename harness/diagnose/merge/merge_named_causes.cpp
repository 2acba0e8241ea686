#include "diagnose/merge/merge_named_causes.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "core/metric.h"
#include "diagnose/both_sides.h"
#include "diagnose/work/model_bytes.h"
#include "diagnose/work/model_size.h"

namespace stepgate {
namespace {

/// Which boundaries' operators a cause takes beside those of its own boundary.
struct Reach {
  std::string_view code;
  std::array<std::string_view, 3> boundaries;
  bool per_step = false;  ///< its sentence counts calls per step
  bool loops = false;     ///< it takes many calls of an operator too: they are what it is
  bool syncs = false;     ///< it takes host syncs too
};

// In the order in which they take: the later ones get what is left.
constexpr std::array reaches = {
    Reach{.code = "anomaly-mode", .boundaries = {"backward"}, .loops = true, .syncs = true},
    Reach{.code = "eval-mode", .boundaries = {"forward", "backward"}},
    Reach{.code = "batch-norm-added", .boundaries = {"forward", "backward", "optimizer"}, .per_step = true},
    Reach{.code = "conv-bias-before-norm", .boundaries = {"forward", "backward", "optimizer"}},
    Reach{.code = "low-precision-lost", .boundaries = {}},
    Reach{.code = "parameters-added", .boundaries = {"forward", "backward", "optimizer"}},
    Reach{.code = "updates-more-often", .boundaries = {"optimizer", "backward"}},
    Reach{.code = "gradients-zeroed", .boundaries = {"optimizer", "backward"}},
    Reach{.code = "detach-lost", .boundaries = {"backward"}},
    Reach{.code = "graphs-held", .boundaries = {}},
    Reach{.code = "optimizer-rebuilt", .boundaries = {"optimizer"}},
    Reach{.code = "single-tensor-optimizer", .boundaries = {"optimizer"}},
    Reach{.code = "float64-work", .boundaries = {"backward"}},
    Reach{.code = "calls-per-item", .boundaries = {"backward"}, .loops = true},
    Reach{.code = "indexing-loop", .boundaries = {"backward"}, .loops = true},
    Reach{.code = "attention-written-out", .boundaries = {"forward", "backward"}},
    Reach{.code = "expanded-product", .boundaries = {"backward"}},
    Reach{.code = "repeat-for-expand", .boundaries = {"backward"}},
    Reach{.code = "channels-last-lost", .boundaries = {"backward"}},
    Reach{.code = "copy-in-product", .boundaries = {"backward"}},
    Reach{.code = "cast-round-trip", .boundaries = {"backward"}},
    Reach{.code = "copy-after-permute", .boundaries = {"backward"}},
    Reach{.code = "host-made-tensor", .boundaries = {}},
    Reach{.code = "conversion-added", .boundaries = {"backward"}, .per_step = true}};

void take_operators(const Reach& reach, std::string_view boundary, Fault& named, Faults& faults) {
  Fault* operators = boundary.empty() ? nullptr : added_operators(faults, boundary);
  if (operators == nullptr || (is_host_sync(*operators) && !reach.syncs)) return;
  // With more parameters an optimizer calls each operator more often: no loop in place of a batch.
  if (operators->finding.code == "loop-instead-of-batch" && boundary != "optimizer" && !reach.loops) return;
  if (reach.per_step && named.steps.empty()) named.steps = operators->steps;
  take_whole(*operators, named);
}

/// Takes growth of memory by at most so many bytes.
void take_memory(const JudgedComparison& input, double bytes, Fault& named, Faults& faults) {
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

void take_model_memory(const JudgedComparison& input, Fault& named, Faults& faults) {
  const auto model = static_cast<double>(more_model_bytes(input));
  if (model == 0) return;
  const auto tensors = static_cast<double>(more_parameter_tensors(input).value_or(1));
  if (Fault* checkpoint = find_fault(faults, "checkpoint-grew")) take_whole(*checkpoint, named);
  take_memory(input, model + allocated_more(input) + allocation_rounding * blocks_per_parameter * tensors, named,
              faults);
}

/// The gradients stay, and they are as large as the parameters.
void take_gradient_memory(const JudgedComparison& input, Fault& named, Faults& faults) {
  if (!input.current.ledger) return;
  const auto parameters = input.current.ledger->bytes.find("parameters");
  if (parameters == input.current.ledger->bytes.end()) return;
  take_memory(input, static_cast<double>(parameters->second) + allocated_more(input), named, faults);
}

void take_growing_memory(Fault& named, Faults& faults) {
  if (Fault* graphs = find_fault(faults, "work-added", "held_graphs_per_step")) take(*graphs, "", named);
  if (Fault* graphs = find_fault(faults, "graphs-held"); graphs != nullptr && graphs != &named)
    take(*graphs, "", named);
  for (const char* code : {"leak-grew", "counter-grew", "kept-alive", "peak-grew"}) {
    while (Fault* growth = find_fault(faults, code)) take_whole(*growth, named);
  }
}

/// .to() in the same boundary is how the values get their dtype.
void take_conversions(Fault& named, Faults& faults) {
  Fault* conversion = find_fault(faults, "conversion-added");
  if (conversion != nullptr && conversion->finding.boundary == named.finding.boundary) take_whole(*conversion, named);
}

/// Its products need queries, keys and values in rows.
void take_copies(Fault& named, Faults& faults) {
  Fault* copy = find_fault(faults, "copy-after-permute");
  if (copy != nullptr && copy->finding.boundary == named.finding.boundary) take_whole(*copy, named);
}

// A model in eval mode or with other parameters computes something else from the first loss on; an optimizer without
// its moments updates otherwise from its second step on.
constexpr std::string_view numeric_codes[] = {"forward-changed", "gradient-changed", "update-changed",
                                              "numerics-diverge"};
constexpr std::string_view update_codes[] = {"update-changed", "numerics-diverge"};

void take_numerics(Fault& named, Faults& faults, std::span<const std::string_view> codes) {
  for (const std::string_view code : codes) {
    if (Fault* numerics = find_fault(faults, code)) take_whole(*numerics, named);
  }
}

/// Wider tensors take more memory and more of each operator's bytes, wherever they are, and round otherwise. Their
/// lines would be the whole model, so that only the names of the red figures are added.
void take_wider_tensors(const JudgedComparison& input, Fault& named, Faults& faults) {
  constexpr std::array<std::string_view, 9> codes = {"work-added",       "saved-bytes-grew", "peak-grew",
                                                     "operator-added",   "copy-added",       "forward-changed",
                                                     "gradient-changed", "update-changed",   "numerics-diverge"};
  for (Fault& other : faults) {
    const std::string_view code = other.finding.code;
    if (other.merged || std::find(codes.begin(), codes.end(), code) == codes.end()) continue;
    other.finding.sources.clear();
    take(other, is_red(input, other.finding.metric) ? label_of(other.finding.metric) : "", named);
  }
}

/// Of its own boundary: what it changes there decides what is kept.
void take_saved_bytes(Fault& named, Faults& faults) {
  for (Fault& saved : faults) {
    const bool here = saved.finding.code == "saved-bytes-grew" && saved.finding.boundary == named.finding.boundary;
    if (!saved.merged && here) take_whole(saved, named);
  }
}

void take_all_of(const JudgedComparison& input, const Reach& reach, Fault& named, Faults& faults) {
  if (reach.code == "low-precision-lost") return take_wider_tensors(input, named, faults);
  take_operators(reach, named.finding.boundary, named, faults);
  for (const std::string_view boundary : reach.boundaries) take_operators(reach, boundary, named, faults);
  take_saved_bytes(named, faults);
  const bool adds_parameters = reach.code == "batch-norm-added" || reach.code == "conv-bias-before-norm";
  if (adds_parameters) {
    if (Fault* parameters = find_fault(faults, "parameters-added")) take_whole(*parameters, named);
  }
  if (adds_parameters || reach.code == "parameters-added") take_model_memory(input, named, faults);
  if (reach.code == "float64-work" || reach.code == "cast-round-trip") take_conversions(named, faults);
  if (reach.code == "attention-written-out") take_copies(named, faults);
  // Other parameters are drawn otherwise, so that the first loss differs too.
  if (reach.code == "eval-mode" || reach.code == "parameters-added" || adds_parameters)
    take_numerics(named, faults, numeric_codes);
  if (reach.code == "optimizer-rebuilt" || reach.code == "updates-more-often")
    take_numerics(named, faults, update_codes);
  if (reach.code == "gradients-zeroed") take_gradient_memory(input, named, faults);
  if (reach.code == "detach-lost" && is_red(input, named.finding.metric) &&
      named.finding.metric != "operators_per_step")
    take_growing_memory(named, faults);
  if (reach.code == "graphs-held") take_growing_memory(named, faults);
}

}  // namespace

void merge_named_causes(const JudgedComparison& input, Faults& faults) {
  for (const Reach& reach : reaches) {
    for (Fault& named : faults) {
      if (!named.merged && named.finding.code == reach.code) take_all_of(input, reach, named, faults);
    }
  }
}

}  // namespace stepgate
