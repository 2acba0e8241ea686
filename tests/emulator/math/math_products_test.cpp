#include "emulator/math/math_products.h"

#include <gtest/gtest.h>

namespace stepgate::emulator {
namespace {

MathProduct product(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch, MathType type) {
  MathProduct made;
  made.library = "cublas";
  made.operation = "Sgemm";
  made.m = m;
  made.n = n;
  made.k = k;
  made.batch = batch;
  made.input = type;
  made.output = type;
  return made;
}

TEST(MathProducts, TheNameHoldsTheShape) {
  EXPECT_EQ(text_of(product(128, 64, 32, 2, MathType::f32)), "cublas Sgemm 128 64 32 2 f32");
}

TEST(MathProducts, TheNameHoldsBothTypesWhereTheyDiffer) {
  MathProduct mixed = product(1, 2, 3, 4, MathType::bf16);
  mixed.output = MathType::f32;
  EXPECT_EQ(text_of(mixed), "cublas Sgemm 1 2 3 4 bf16>f32");
}

TEST(MathProducts, EachTypeHasItsOwnRow) {
  for (const MathType type :
       {MathType::f16, MathType::bf16, MathType::f32, MathType::f64, MathType::c32, MathType::c64, MathType::c128,
        MathType::e4m3, MathType::e5m2, MathType::e2m1, MathType::i8, MathType::i32}) {
    EXPECT_EQ(row_of(type).type, type);
  }
  EXPECT_EQ(row_of(MathType::c128).bits, 128U);
  EXPECT_TRUE(row_of(MathType::c32).is_complex);
}

TEST(MathProducts, CostsFollowFromShapeAndType) {
  const MathProduct real = product(4, 5, 6, 2, MathType::f32);
  EXPECT_DOUBLE_EQ(flops_of(real), 2.0 * 4 * 5 * 6 * 2);
  EXPECT_DOUBLE_EQ(bytes_of(real), 4.0 * 2 * (4 * 6 + 6 * 5 + 4 * 5));
  EXPECT_DOUBLE_EQ(flops_of(product(4, 5, 6, 2, MathType::c64)), 4 * flops_of(real));
  MathProduct narrow = real;
  narrow.input = MathType::e2m1;
  EXPECT_DOUBLE_EQ(bytes_of(narrow), 2.0 * (0.5 * (4 * 6 + 6 * 5) + 4.0 * 4 * 5));
}

TEST(MathProducts, SizesThatAreTooLargeForIntegersHaveACost) {
  const std::int64_t large = 2'000'000'000;
  EXPECT_DOUBLE_EQ(flops_of(product(large, large, large, 1, MathType::f32)), 2.0 * 8e27);
}

TEST(MathProducts, GridHasABlockForEachTile) {
  const Extent one = grid_of(product(128, 1, 8, 1, MathType::f32));
  EXPECT_EQ(one.x, 1U);
  EXPECT_EQ(one.y, 1U);
  EXPECT_EQ(one.z, 1U);
  const Extent more = grid_of(product(129, 257, 8, 3, MathType::f32));
  EXPECT_EQ(more.x, 2U);
  EXPECT_EQ(more.y, 3U);
  EXPECT_EQ(more.z, 3U);
}

TEST(MathProducts, GridStaysWithinTheDevicesLimits) {
  const Extent grid = grid_of(product(1, 128LL * 70'000, 1, 70'000, MathType::f32));
  EXPECT_EQ(grid.y, 65535U);
  EXPECT_EQ(grid.z, 65535U);
}

TEST(MathProducts, AProductWithoutResultsIsEmpty) {
  EXPECT_TRUE(is_empty(product(0, 1, 1, 1, MathType::f32)));
  EXPECT_TRUE(is_empty(product(1, 0, 1, 1, MathType::f32)));
  EXPECT_TRUE(is_empty(product(1, 1, 1, 0, MathType::f32)));
  // Sums of nothing: the result is still written.
  EXPECT_FALSE(is_empty(product(1, 1, 0, 1, MathType::f32)));
}

TEST(MathProducts, LeadingDimensionsCoverAColumn) {
  ProductArguments arguments;
  arguments.m = 4;
  arguments.n = 5;
  arguments.k = 6;
  arguments.a_leading = 4;
  arguments.b_leading = 6;
  arguments.c_leading = 4;
  EXPECT_TRUE(is_valid(arguments));
  arguments.c_leading = 3;
  EXPECT_FALSE(is_valid(arguments));
  arguments.c_leading = 4;
  arguments.a_transposed = true;
  EXPECT_FALSE(is_valid(arguments));
  arguments.a_leading = 6;
  EXPECT_TRUE(is_valid(arguments));
  arguments.b_transposed = true;
  arguments.b_leading = 4;
  EXPECT_FALSE(is_valid(arguments));
  arguments.b_leading = 5;
  EXPECT_TRUE(is_valid(arguments));
}

TEST(MathProducts, EmptyMatricesNeedALeadingDimensionToo) {
  ProductArguments arguments;
  EXPECT_TRUE(is_valid(arguments));
  arguments.b_leading = 0;
  EXPECT_FALSE(is_valid(arguments));
}

TEST(MathProducts, NegativeSizesAreInvalid) {
  for (std::int64_t ProductArguments::*size :
       {&ProductArguments::m, &ProductArguments::n, &ProductArguments::k, &ProductArguments::batch}) {
    ProductArguments arguments;
    arguments.*size = -1;
    EXPECT_FALSE(is_valid(arguments));
  }
}

TEST(MathProducts, AFactorisationCostsAsItsProduct) {
  const MathProduct product = product_of("cusolver", {"Spotrs", 5, 2, 4, 3, MathType::f64});
  EXPECT_EQ(text_of(product), "cusolver Spotrs 5 2 4 3 f64");
}

}  // namespace
}  // namespace stepgate::emulator
