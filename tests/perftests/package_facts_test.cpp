#include "compiled/package_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* fixed_package = "torch 2.11.0\ndigest 12ab\ninput float32 8 64\ninput int64\n";
constexpr const char* ranged_package =
    "torch 2.11.0\ndigest 12ab\nseconds 97\ninput int64 rows=2..64 length=2..256\ninput int64 rows=2..64 "
    "length=2..256\nweight norm_bias float32 128\n";

using GivenSizes = std::vector<std::int64_t>;

std::string refusal_of_sizes(const GivenSizes& inputs, const GivenSizes& targets) {
  const std::vector<GivenTensor> given = {{"int64", inputs}, {"int64", targets}};
  return refusal_of_inputs(package_facts(ranged_package), given);
}

TEST(PackageFacts, AreReadFromLines) {
  const PackageFacts facts = package_facts(fixed_package);
  EXPECT_EQ(facts.torch, "2.11.0");
  EXPECT_EQ(facts.digest, "12ab");
  EXPECT_FALSE(facts.seconds);
  EXPECT_THAT(facts.inputs, ElementsAre(PackageTensor{"float32", {8, 64}}, PackageTensor{"int64", {}}));

  const PackageFacts ranged = package_facts(ranged_package);
  EXPECT_EQ(ranged.seconds, 97);
  EXPECT_EQ(ranged.inputs.at(1), (PackageTensor{"int64", {{2, 64, "rows"}, {2, 256, "length"}}}));
  EXPECT_THAT(ranged.weights, ElementsAre(PackageWeight{"norm_bias", {"float32", {128}}}));
  EXPECT_EQ(text_of(ranged.inputs.at(0)), "int64 (rows=2..64, length=2..256)");
}

TEST(PackageFacts, NameTheLineThatIsNone) {
  for (const char* text : {"torch\n", "colour red\n", "input float32 8 x\n", "input float32 8 length=2\n",
                           "input float32 -8\n", "weight norm_bias\n", "seconds soon\n"}) {
    EXPECT_THROW(package_facts(text), std::invalid_argument) << text;
  }
}

TEST(PackageInputs, OfFixedSizesTakeTheseOnly) {
  const PackageFacts facts = package_facts(fixed_package);
  const GivenSizes full = {8, 64};
  const GivenSizes half = {4, 64};
  const GivenTensor number{"int64", {}};
  const auto refusal = [&](std::vector<GivenTensor> given) { return refusal_of_inputs(facts, given); };
  EXPECT_EQ(refusal({{"float32", full}, number}), "");
  EXPECT_THAT(refusal({{"float32", half}, number}),
              HasSubstr("input 0: the package was compiled for float32 (8, 64), contiguous, and was given float32 (4, "
                        "64): pad the batch"));
  EXPECT_THAT(refusal({{"float32", full}, {"float32", {}}}), HasSubstr("input 1: the package was compiled for "));
  EXPECT_THAT(refusal({{"float32", full, false}, number}), HasSubstr("float32 (8, 64), not contiguous"));
  EXPECT_THAT(refusal({number}), HasSubstr("for 2 tensors and was given 1"));
}

TEST(PackageInputs, OfARangeTakeEachSizeInIt) {
  EXPECT_EQ(refusal_of_sizes({8, 64}, {8, 64}), "");
  EXPECT_EQ(refusal_of_sizes({2, 256}, {2, 256}), "");
  EXPECT_THAT(refusal_of_sizes({8, 257}, {8, 257}),
              HasSubstr("int64 (rows=2..64, length=2..256), contiguous, and was given int64 (8, 257)"));
  EXPECT_THAT(refusal_of_sizes({1, 64}, {1, 64}), HasSubstr("input 0: "));
  EXPECT_THAT(refusal_of_sizes({8}, {8}), HasSubstr("input 0: ")) << "the number of sizes counts too";
  EXPECT_THAT(refusal_of_sizes({8, 64, 1}, {8, 64, 1}), HasSubstr("input 0: "));
}

TEST(PackageInputs, OfOneNameHaveOneSize) {
  EXPECT_THAT(refusal_of_sizes({8, 64}, {8, 33}), HasSubstr("input 1: length is 33, and in an earlier input it is 64"));
}

TEST(PackageWeights, AreThoseOfTheModel) {
  const PackageWeight weight = package_facts(ranged_package).weights.at(0);
  const GivenSizes right = {128};
  const GivenSizes wrong = {64};
  EXPECT_EQ(refusal_of_weight(weight, {"float32", right}), "");
  EXPECT_THAT(refusal_of_weight(weight, {"float32", wrong}),
              HasSubstr("weight norm_bias: the package was compiled for float32 (128)"));
}

}  // namespace
}  // namespace stepgate
