#include "diagnose/census/observed_census.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/pattern_sample.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

void add_copy(ObservedWork& work, const ObservedTensor& to, const ObservedTensor& from,
              std::vector<std::string> callers) {
  add_site(work, {.boundary = "forward", .name = "aten::copy_", .inputs = {to, from}, .outputs = {to}});
  work.sites.back().callers = std::move(callers);
  work.sites.back().copied_bytes = 100 * sample_steps;
}

TEST(WorkCensus, IsEmptyWithoutSteps) { EXPECT_EQ(work_census({}), WorkCensus{}); }

TEST(WorkCensus, SortsCopiesByCauseAndKind) {
  ObservedWork work;
  const ObservedTensor plain = tensor({8, 16});
  add_copy(work, plain, with_strides(plain, {1, 8}), {"aten::contiguous", "aten::clone"});
  add_copy(work, plain, with_strides(plain, {1, 8}), {"aten::contiguous", "aten::clone"});
  add_copy(work, plain, tensor({8, 16}, "", "bfloat16"), {"aten::to"});
  add_copy(work, plain, with_strides(plain, {0, 1}), {"aten::repeat"});
  add_copy(work, plain, plain, {"aten::clone"});
  add_copy(work, plain, with_strides(plain, {64, 2}), {"aten::linear", "aten::mm", "aten::clone"});
  const auto copies = work_census(work).copies;
  EXPECT_THAT(
      copies,
      ElementsAre(CensusRow{"aten::contiguous", "layout", 2, 0, 200}, CensusRow{"aten::clone", "plain", 1, 0, 100},
                  CensusRow{"aten::linear > aten::mm", "layout", 1, 0, 100},
                  CensusRow{"aten::repeat", "broadcast", 1, 0, 100}, CensusRow{"aten::to", "dtype", 1, 0, 100}));
}

TEST(WorkCensus, LeavesOutTheLoaderAndCopiesThatDoNotCount) {
  ObservedWork work;
  add_copy(work, tensor({8}), tensor({8}), {});
  work.sites.back().boundary = "data_wait";
  add_copy(work, tensor({}), tensor({}, "", "float64"), {});
  work.sites.back().copied_bytes = 0;
  EXPECT_THAT(work_census(work).copies, IsEmpty());
}

TEST(WorkCensus, WeighsLayoutsOfOperandsByFlops) {
  ObservedWork work;
  add_site(work, {.boundary = "forward",
                  .name = "aten::addmm",
                  .inputs = {tensor({16}), tensor({8, 4}), with_strides(tensor({4, 16}), {1, 4})}});
  work.sites.back().flops = 10 * sample_steps;
  work.sites.back().misaligned_flops = 10 * sample_steps;
  add_site(work,
           {.boundary = "forward",
            .name = "aten::bmm",
            .inputs = {with_strides(tensor({2, 8, 4}), {0, 4, 1}), with_strides(tensor({2, 4, 8}), {64, 16, 1})}});
  work.sites.back().flops = 5 * sample_steps;
  const WorkCensus census = work_census(work);
  EXPECT_THAT(census.operands,
              ElementsAre(CensusRow{"products", "contiguous", 1, 10, 0}, CensusRow{"products", "transposed", 1, 10, 0},
                          CensusRow{"products", "expanded", 1, 5, 0}, CensusRow{"products", "strided rows", 1, 5, 0}));
  EXPECT_EQ(census.product_flops, 15);
  EXPECT_EQ(census.misaligned_flops, 10);
}

TEST(WorkCensus, KnowsChannelsLastAndGaps) {
  ObservedWork work;
  add_site(work, {.boundary = "forward",
                  .name = "aten::convolution",
                  .inputs = {with_strides(tensor({2, 3, 4, 4}), {48, 1, 12, 3}),
                             with_strides(tensor({8, 3, 1, 1}), {6, 2, 2, 2})}});
  work.sites.back().flops = 10 * sample_steps;
  EXPECT_THAT(work_census(work).operands,
              ElementsAre(CensusRow{"products", "channels_last", 1, 10, 0}, CensusRow{"products", "gaps", 1, 10, 0}));
}

TEST(WorkCensus, SortsDtypesByClassOfOperators) {
  ObservedWork work;
  const auto add = [&](const char* boundary, const char* name, const char* dtype) {
    add_site(work, {.boundary = boundary, .name = name, .inputs = {tensor({}), tensor({8, 8}, "", dtype)}});
    work.sites.back().bytes = 40 * sample_steps;
  };
  add("forward", "aten::gelu", "bfloat16");
  add("optimizer", "aten::lerp_", "float32");
  add("forward", "aten::nll_loss_forward", "float32");
  add("forward", "aten::native_layer_norm", "float32");
  add("forward", "aten::_softmax", "float32");
  add("forward", "aten::mm", "bfloat16");
  work.sites.back().flops = 10 * sample_steps;
  add("forward", "aten::view", "float32");
  EXPECT_THAT(work_census(work).dtypes,
              ElementsAre(CensusRow{"products", "bfloat16", 1, 10, 40}, CensusRow{"norm", "float32", 1, 0, 40},
                          CensusRow{"softmax", "float32", 1, 0, 40}, CensusRow{"loss", "float32", 1, 0, 40},
                          CensusRow{"elementwise", "bfloat16", 1, 0, 40}, CensusRow{"optimizer", "float32", 1, 0, 40}));
}

}  // namespace
}  // namespace stepgate
