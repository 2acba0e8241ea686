// Descriptors of cuDNN's backend interface for tests, made as a program makes them.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "emulator/math/cudnn/cudnn_backend_store.h"
#include "emulator/math/cudnn/cudnn_work.h"

namespace stepgate::emulator {

inline constexpr CudnnTypeRow test_float = {7, "float", 32};
inline constexpr CudnnTypeRow test_half = {8, "half", 16};

struct TensorFacts {
  std::int64_t id = 0;
  std::vector<std::int64_t> dims;
  std::vector<std::int64_t> strides;
  int type = 0;
  bool is_virtual = false;
};

inline BackendDescriptor made(BackendKind kind) {
  return {std::make_shared<BackendData>(BackendData{kind, false, {}})};
}

inline void set_numbers(BackendDescriptor& descriptor, BackendAttribute attribute,
                        const std::vector<std::int64_t>& numbers) {
  EXPECT_EQ(set_attribute(descriptor, attribute,
                          {BackendType::int64, static_cast<std::int64_t>(numbers.size()), numbers.data()}),
            BackendAnswer::ok);
}

inline void set_parts(BackendDescriptor& descriptor, BackendAttribute attribute,
                      const std::vector<BackendDescriptor*>& parts) {
  EXPECT_EQ(set_attribute(descriptor, attribute,
                          {BackendType::descriptor, static_cast<std::int64_t>(parts.size()), parts.data()}),
            BackendAnswer::ok);
}

inline void set_tensor(BackendDescriptor& tensor, const TensorFacts& facts) {
  set_numbers(tensor, BackendAttribute::tensor_id, {facts.id});
  set_numbers(tensor, BackendAttribute::tensor_dims, facts.dims);
  set_numbers(tensor, BackendAttribute::tensor_strides, facts.strides);
  EXPECT_EQ(set_attribute(tensor, BackendAttribute::tensor_type, {BackendType::enumeration, 1, &facts.type}),
            BackendAnswer::ok);
  EXPECT_EQ(set_attribute(tensor, BackendAttribute::tensor_is_virtual, {BackendType::boolean, 1, &facts.is_virtual}),
            BackendAnswer::ok);
}

inline BackendDescriptor finished(BackendDescriptor descriptor) {
  EXPECT_EQ(finalize(descriptor), BackendAnswer::ok);
  return descriptor;
}
inline BackendDescriptor finished(BackendKind kind) { return finished(made(kind)); }

inline BackendDescriptor finished_tensor(const TensorFacts& facts) {
  BackendDescriptor tensor = made(BackendKind::tensor);
  set_tensor(tensor, facts);
  return finished(tensor);
}

inline BackendDescriptor finished_graph(std::vector<BackendDescriptor> operations) {
  std::vector<BackendDescriptor*> parts;
  for (BackendDescriptor& operation : operations) parts.push_back(&operation);
  BackendDescriptor graph = made(BackendKind::graph);
  set_parts(graph, BackendAttribute::graph_operations, parts);
  return finished(graph);
}

inline BackendDescriptor finished_plan(std::vector<BackendDescriptor> operations) {
  BackendDescriptor graph = finished_graph(std::move(operations));
  BackendDescriptor engine = made(BackendKind::engine);
  set_parts(engine, BackendAttribute::engine_graph, {&graph});
  engine = finished(engine);
  BackendDescriptor configuration = made(BackendKind::configuration);
  set_parts(configuration, BackendAttribute::configuration_engine, {&engine});
  configuration = finished(configuration);
  BackendDescriptor plan = made(BackendKind::plan);
  set_parts(plan, BackendAttribute::plan_configuration, {&configuration});
  return finished(plan);
}

}  // namespace stepgate::emulator
