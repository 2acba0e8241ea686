#include "emulator/values/value_comparison.h"

namespace stepgate::emulator {
namespace {

TEST(DropoutValues, OutputIsTheScaledInputWhereTheMaskIsSet) {
  const at::Tensor input = at::randn({50, 40});
  const Values found = values_of("aten::native_dropout", {input, 0.25, true}, {.seed = 1, .offset = 0});
  const at::Tensor mask = found.at(1).toTensor();
  EXPECT_EQ(mask.scalar_type(), at::kBool);
  EXPECT_NEAR(mask.to(at::kFloat).mean().item<double>(), 0.75, 0.05);  // 5 standard deviations
  expect_near(found.at(0).toTensor(), input * mask / 0.75, "output");
}

TEST(DropoutValues, TheMaskFollowsThePlace) {
  const Values arguments = {at::ones({200}), 0.5, c10::IValue()};
  const auto mask_at = [&arguments](std::uint64_t offset) {
    return values_of("aten::native_dropout", arguments, {.seed = 1, .offset = offset}).at(1).toTensor();
  };
  EXPECT_TRUE(at::equal(mask_at(0), mask_at(0)));
  EXPECT_FALSE(at::equal(mask_at(0), mask_at(4)));
}

TEST(DropoutValues, NothingIsDroppedOutsideOfTrainingAndAllWithAShareOfOne) {
  const at::Tensor input = at::randn({20});
  const Values kept = values_of("aten::native_dropout", {input, 0.5, false});
  EXPECT_TRUE(at::equal(kept.at(0).toTensor(), input));
  EXPECT_TRUE(kept.at(1).toTensor().all().item<bool>());
  const Values none = values_of("aten::native_dropout", {input, 1.0, true});
  EXPECT_TRUE(at::equal(none.at(0).toTensor(), at::zeros({20})));
}

TEST(DropoutValues, TheFusedOneIsGivenTheShareThatItKeeps) {
  const at::Tensor input = at::ones({1000});
  const Values found = values_of("aten::_fused_dropout", {input, 0.75, c10::IValue()}, {.seed = 1, .offset = 0});
  const at::Tensor mask = found.at(1).toTensor();
  EXPECT_EQ(mask.scalar_type(), at::kByte);
  EXPECT_NEAR(mask.to(at::kFloat).mean().item<double>(), 0.75, 0.07);
  expect_near(found.at(0).toTensor(), mask.to(at::kFloat) / 0.75, "output");
  const Values backward = values_of("aten::_masked_scale", {input * 2, mask, 4.0 / 3});
  expect_near(backward.at(0).toTensor(), mask.to(at::kFloat) * 8 / 3, "gradient");
}

TEST(DropoutValues, TheProgramsOwnGeneratorStaysAsItIs) {
  at::manual_seed(1);
  const at::Tensor expected = at::randn({4});
  at::manual_seed(1);
  values_of("aten::native_dropout", {at::ones({100}), 0.5, true}, {.seed = 1, .offset = 0});
  EXPECT_TRUE(at::equal(at::randn({4}), expected));
}

}  // namespace
}  // namespace stepgate::emulator
