// The observed work of trained_sample(), to which a test adds the sites of a fault. Operators, parents and operands are
// those that LibTorch 2.11 shows on a CPU.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "diagnose/injected_operators.h"

namespace stepgate {

using Sizes = std::vector<std::int64_t>;

/// In row-major order.
inline ObservedTensor tensor(Sizes sizes, std::string from = "", std::string dtype = "float32") {
  Sizes strides(sizes.size(), 1);
  for (std::size_t i = sizes.size(); i-- > 1;) strides[i - 1] = strides[i] * sizes[i];
  return {std::move(sizes), std::move(strides), std::move(dtype), std::move(from)};
}

inline ObservedTensor float64(Sizes sizes, std::string from = "") {
  return tensor(std::move(sizes), std::move(from), "float64");
}

inline ObservedTensor with_strides(ObservedTensor tensor, Sizes strides) {
  tensor.strides = std::move(strides);
  return tensor;
}

/// One site; `calls` per step. It lies on the given line of language/lm.cpp.
struct AddedSite {
  std::string boundary;
  std::string name;
  std::int64_t calls = 1;
  std::vector<ObservedTensor> inputs = {};
  std::vector<ObservedTensor> outputs = {};
  std::string parent = {};
  std::vector<std::string> arguments = {};
  bool leaf = true;
  std::int64_t line = 10;
};

inline void add_site(ObservedWork& work, AddedSite added) {
  work.steps = sample_steps;
  work.places.push_back({{0x1000}, {{"Lm::forward", "language/lm.cpp", added.line}}});
  OperatorSite site{.boundary = added.boundary, .name = added.name, .parent = added.parent};
  site.place = work.places.size() - 1;
  site.for_forward = added.boundary == "backward";
  site.inputs = std::move(added.inputs);
  site.outputs = std::move(added.outputs);
  site.arguments = std::move(added.arguments);
  site.calls = added.calls * sample_steps;
  site.leaf_calls = added.leaf ? site.calls : 0;
  work.sites.push_back(std::move(site));
}

/// A step on 2 x 16 tokens with 97 classes and four parameter tensors.
inline ObservedWork observed_step() {
  ObservedWork work;
  add_site(work, {"forward",
                  "aten::embedding",
                  1,
                  {tensor({97, 32}, "parameter"), tensor({2, 16}, "", "int64")},
                  {tensor({2, 16, 32})},
                  "",
                  {},
                  false});
  add_site(work, {"forward", "aten::mm", 2, {tensor({32, 32}), tensor({32, 97})}, {tensor({32, 97})}});
  add_site(
      work,
      {"forward", "aten::_log_softmax", 1, {tensor({32, 97}, "aten::mm")}, {tensor({32, 97})}, "aten::log_softmax"});
  add_site(work, {"backward", "aten::detach", 4, {tensor({32, 97})}, {tensor({32, 97})}});
  add_site(work, {"optimizer", "aten::add_", 4, {tensor({32, 97}, "parameter")}, {tensor({32, 97})}});
  add_site(work, {"optimizer", "aten::detach_", 4, {tensor({32, 97}, "gradient")}, {tensor({32, 97})}});
  return work;
}

/// trained_sample() with its observed work.
inline SampleCase pattern_sample() {
  SampleCase sample = trained_sample();
  sample.current.counts.observed = observed_step();
  return sample;
}

/// A cast to float64 in forward, and an operator that computes in it.
inline void show_float64(ObservedWork& work) {
  add_site(work, {"forward",
                  "aten::_to_copy",
                  1,
                  {tensor({32, 97}, "aten::mm")},
                  {float64({32, 97})},
                  "aten::to",
                  {"float64"},
                  false,
                  23});
  add_site(
      work,
      {"forward", "aten::_log_softmax", 1, {float64({32, 97}, "aten::to")}, {float64({32, 97})}, "aten::log_softmax"});
}

}  // namespace stepgate
