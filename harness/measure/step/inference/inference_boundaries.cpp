#include "measure/step/inference/inference_boundaries.h"

#include <utility>

namespace stepgate {
namespace {

constexpr const char* trains_nothing = "the case answers requests: nothing is trained";

}  // namespace

StepBoundaries inference_boundaries() { return StepBoundaries({"data_wait", "h2d", infer_name, post_name, "logging"}); }

std::map<std::string, std::int64_t> held_since_infer(std::map<std::string, std::int64_t> held) {
  if (auto made = held.extract(std::string(name_of(Boundary::forward)))) {
    made.key() = infer_name;
    held.insert(std::move(made));
  }
  return held;
}

std::map<std::string, std::string> absent_in_inference(Group group) {
  if (group == Group::exact) return {{"grad_norm", trains_nothing}};
  std::map<std::string, std::string> reasons;
  for (const Boundary boundary : {Boundary::forward, Boundary::backward, Boundary::optimizer}) {
    reasons[std::string(row_of(boundary).metric)] = trains_nothing;
  }
  return reasons;
}

}  // namespace stepgate
