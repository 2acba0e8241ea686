#include "emulator/math/cudnn/cudnn_backend_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "emulator/math/cudnn_backend_fixture.h"

namespace stepgate::emulator {
namespace {

using testing::ElementsAre;

TEST(CudnnBackendStore, GivesBackWhatWasSetAfterFinalize) {
  BackendDescriptor tensor = made(BackendKind::tensor);
  set_tensor(tensor, {1, {2, 3}, {3, 1}, 7});
  std::array<std::int64_t, 4> dims = {};
  std::int64_t count = -1;
  EXPECT_EQ(get_attribute(tensor, BackendAttribute::tensor_dims, {BackendType::int64, 4, dims.data(), &count}),
            BackendAnswer::not_finalized);
  EXPECT_EQ(finalize(tensor), BackendAnswer::ok);
  EXPECT_EQ(get_attribute(tensor, BackendAttribute::tensor_dims, {BackendType::int64, 4, dims.data(), &count}),
            BackendAnswer::ok);
  EXPECT_EQ(count, 2);
  EXPECT_THAT(dims, ElementsAre(2, 3, 0, 0));
}

TEST(CudnnBackendStore, TellsTheCountAlone) {
  BackendDescriptor tensor = finished_tensor({1, {2, 3, 4}, {12, 4, 1}, 7});
  std::int64_t count = -1;
  EXPECT_EQ(get_attribute(tensor, BackendAttribute::tensor_dims, {BackendType::int64, 0, nullptr, &count}),
            BackendAnswer::ok);
  EXPECT_EQ(count, 3);
}

TEST(CudnnBackendStore, GivesNoMoreThanAsked) {
  BackendDescriptor tensor = finished_tensor({1, {2, 3, 4}, {12, 4, 1}, 7});
  std::array<std::int64_t, 3> dims = {};
  EXPECT_EQ(get_attribute(tensor, BackendAttribute::tensor_dims, {BackendType::int64, 2, dims.data(), nullptr}),
            BackendAnswer::ok);
  EXPECT_THAT(dims, ElementsAre(2, 3, 0));
}

TEST(CudnnBackendStore, AnswersMistakes) {
  BackendDescriptor tensor = made(BackendKind::tensor);
  const std::int64_t number = 1;
  EXPECT_EQ(finalize(tensor), BackendAnswer::missing);
  EXPECT_EQ(set_attribute(tensor, BackendAttribute::tensor_dims, {BackendType::int64, 1, nullptr}),
            BackendAnswer::null_pointer);
  EXPECT_EQ(set_attribute(tensor, BackendAttribute::tensor_dims, {BackendType::int64, -1, &number}),
            BackendAnswer::wrong_count);
  set_tensor(tensor, {1, {2, 3}, {1}, 7});
  EXPECT_EQ(finalize(tensor), BackendAnswer::wrong_count);
  set_tensor(tensor, {1, {2, 3}, {3, 1}, 7});
  EXPECT_EQ(finalize(tensor), BackendAnswer::ok);
  EXPECT_EQ(finalize(tensor), BackendAnswer::finalized_already);
  EXPECT_EQ(set_attribute(tensor, BackendAttribute::tensor_dims, {BackendType::int64, 1, &number}),
            BackendAnswer::finalized_already);
  EXPECT_EQ(get_attribute(tensor, BackendAttribute::tensor_dims, {BackendType::int32, 1, nullptr, nullptr}),
            BackendAnswer::wrong_type);
  EXPECT_EQ(get_attribute(tensor, BackendAttribute::plan_workspace_bytes, {BackendType::int64, 1, nullptr, nullptr}),
            BackendAnswer::unknown);
}

TEST(CudnnBackendStore, WantsFinalizedParts) {
  BackendDescriptor tensor = made(BackendKind::tensor);
  BackendDescriptor operation = made(BackendKind::pointwise_operation);
  std::array<BackendDescriptor*, 1> parts = {&tensor};
  const BackendArray array = {BackendType::descriptor, 1, parts.data()};
  EXPECT_EQ(set_attribute(operation, BackendAttribute::unlisted, array), BackendAnswer::not_finalized);
  parts[0] = nullptr;
  EXPECT_EQ(set_attribute(operation, BackendAttribute::unlisted, array), BackendAnswer::null_pointer);
}

TEST(CudnnBackendStore, GraphsHoldOperationsOnly) {
  BackendDescriptor tensor = finished_tensor({1, {2}, {1}, 7});
  BackendDescriptor graph = made(BackendKind::graph);
  set_parts(graph, BackendAttribute::graph_operations, {&tensor});
  EXPECT_EQ(finalize(graph), BackendAnswer::missing);
}

TEST(CudnnBackendStore, HeuristicsGiveOneConfigurationWithoutWorkspace) {
  BackendDescriptor graph = finished_graph({finished(BackendKind::pointwise_operation)});
  BackendDescriptor heuristics = made(BackendKind::heuristics);
  const int mode = 3;
  set_parts(heuristics, BackendAttribute::heuristics_graph, {&graph});
  EXPECT_EQ(set_attribute(heuristics, BackendAttribute::heuristics_mode, {BackendType::enumeration, 1, &mode}),
            BackendAnswer::ok);
  ASSERT_EQ(finalize(heuristics), BackendAnswer::ok);
  BackendDescriptor first = made(BackendKind::configuration);
  BackendDescriptor second = made(BackendKind::configuration);
  std::array<BackendDescriptor*, 2> results = {&first, &second};
  std::int64_t count = -1;
  ASSERT_EQ(get_attribute(heuristics, BackendAttribute::heuristics_results,
                          {BackendType::descriptor, 2, results.data(), &count}),
            BackendAnswer::ok);
  EXPECT_EQ(count, 1);
  EXPECT_FALSE(second.data->is_finalized);
  std::int64_t bytes = -1;
  EXPECT_EQ(
      get_attribute(first, BackendAttribute::configuration_workspace_bytes, {BackendType::int64, 1, &bytes, nullptr}),
      BackendAnswer::ok);
  EXPECT_EQ(bytes, 0);
  const BackendData* engine = find_part(*first.data, BackendAttribute::configuration_engine);
  ASSERT_NE(engine, nullptr);
  EXPECT_EQ(find_value(*engine, BackendAttribute::engine_numerical_notes)->count, 0);
  EXPECT_EQ(find_part(*engine, BackendAttribute::engine_graph), graph.data.get());
}

TEST(CudnnBackendStore, HasOneEngine) {
  BackendDescriptor graph = finished_graph({finished(BackendKind::pointwise_operation)});
  EXPECT_THAT(numbers_of(*graph.data, BackendAttribute::graph_engine_count), ElementsAre(1));
  BackendDescriptor engine = made(BackendKind::engine);
  const std::int64_t index = 1;
  set_parts(engine, BackendAttribute::engine_graph, {&graph});
  EXPECT_EQ(set_attribute(engine, BackendAttribute::engine_index, {BackendType::int64, 1, &index}), BackendAnswer::ok);
  EXPECT_EQ(finalize(engine), BackendAnswer::not_supported);
}

TEST(CudnnBackendStore, PacksHaveAPointerForEachId) {
  BackendDescriptor pack = made(BackendKind::variant_pack);
  const std::array<std::int64_t, 2> ids = {1, 2};
  const std::array<void*, 1> pointers = {nullptr};
  EXPECT_EQ(set_attribute(pack, BackendAttribute::pack_ids, {BackendType::int64, 2, ids.data()}), BackendAnswer::ok);
  EXPECT_EQ(set_attribute(pack, BackendAttribute::pack_pointers, {BackendType::pointer, 1, pointers.data()}),
            BackendAnswer::ok);
  EXPECT_EQ(finalize(pack), BackendAnswer::wrong_count);
}

TEST(CudnnBackendStore, NamesEachKindInOrder) {
  for (int kind = 0; kind <= static_cast<int>(BackendKind::variant_pack); ++kind) {
    EXPECT_EQ(row_of(static_cast<BackendKind>(kind)).kind, static_cast<BackendKind>(kind));
  }
}

}  // namespace
}  // namespace stepgate::emulator
