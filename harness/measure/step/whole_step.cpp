#include "measure/step/whole_step.h"

#include <initializer_list>

namespace stepgate {
namespace {

constexpr const char* bypassed = "the compiled step runs its products outside of LibTorch's operators";
constexpr const char* no_graph = "this step is not a CUDA graph";
constexpr const char* no_gradients = "one compiled step, which keeps no gradients";

}  // namespace

StepBoundaries whole_step_boundaries() { return StepBoundaries({"data_wait", "h2d", whole_step_name, "logging"}); }

std::map<std::string, std::string> absent_in_whole_step(Group group, const WholeStepFacts& facts) {
  std::map<std::string, std::string> reasons;
  if (group == Group::exact) {
    if (!facts.keeps_gradients) reasons["grad_norm"] = no_gradients;
    if (!facts.is_graph) {
      for (const char* metric : {"graphs_after_warmup", "graph_kernel_nodes", "graph_memcpy_nodes",
                                 "graph_memset_nodes", "graph_pool_bytes", "graph_recording_ns"}) {
        reasons[metric] = no_graph;
      }
    }
    if (!facts.hides_operators) return reasons;
    for (const char* metric : {"flops_per_step", "bytes_touched_per_step"}) reasons[metric] = bypassed;
    return reasons;
  }
  for (const Boundary boundary : {Boundary::forward, Boundary::backward, Boundary::optimizer}) {
    reasons[std::string(row_of(boundary).metric)] = one_compiled_step;
  }
  return reasons;
}

}  // namespace stepgate
