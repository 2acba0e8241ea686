#include "measure/program/reference/reference_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

namespace stepgate {
namespace {

using testing::HasSubstr;

constexpr std::int64_t mib = 1 << 20;
constexpr std::int64_t gib = 1 << 30;

/// A GPU with the float32 rate and the memory bandwidth of its data sheet (no tensor cores, boost clock).
struct Sold {
  const char* name;
  GpuProperties gpu;
  double peak_tflops;
  double memory_gb_per_s;
};

const std::array sold = {
    Sold{"RTX 3050 8 GB", {8, 6, 20, 2 * mib, 8 * gib}, 9.1, 224},
    Sold{"T4", {7, 5, 40, 4 * mib, 15 * gib}, 8.1, 320},
    Sold{"V100", {7, 0, 80, 6 * mib, 32 * gib}, 15.7, 900},
    Sold{"A10", {8, 6, 72, 6 * mib, 24 * gib}, 31.2, 600},
    Sold{"A100", {8, 0, 108, 40 * mib, 80 * gib}, 19.5, 2039},
    Sold{"L4", {8, 9, 58, 48 * mib, 24 * gib}, 30.3, 300},
    Sold{"RTX 4090", {8, 9, 128, 72 * mib, 24 * gib}, 82.6, 1008},
    Sold{"H100 PCIe", {9, 0, 114, 50 * mib, 80 * gib}, 51.2, 2039},
    Sold{"H100 SXM", {9, 0, 132, 50 * mib, 80 * gib}, 66.9, 3352},
    Sold{"H200", {9, 0, 132, 50 * mib, 141 * gib}, 66.9, 4800},
    Sold{"B200", {10, 0, 148, 126 * mib, 180 * gib}, 80.0, 8000},
    Sold{"RTX 5090", {12, 0, 170, 96 * mib, 32 * gib}, 104.8, 1792},
};

TEST(ReferenceWork, ItsProductsTakeFiveMillisecondsOnEveryGpu) {
  for (const Sold& each : sold) {
    const double seconds = flops_of(reference_work_on(each.gpu)) / (each.peak_tflops * 1e12);
    EXPECT_GE(seconds, 5e-3) << each.name;
    EXPECT_LT(seconds, 20e-3) << each.name;
  }
}

TEST(ReferenceWork, ItsCopiesAreBeyondTheL2AndShorterThanTheProducts) {
  for (const Sold& each : sold) {
    const ReferenceWork work = reference_work_on(each.gpu);
    EXPECT_GE(work.copied_bytes, 4 * each.gpu.l2_bytes) << each.name;
    // Each copy reads and writes.
    const double seconds = 2.0 * static_cast<double>(work.copies * work.copied_bytes) / (each.memory_gb_per_s * 1e9);
    EXPECT_GE(seconds, 0.2e-3) << each.name;
    EXPECT_LT(seconds, flops_of(work) / (each.peak_tflops * 1e12)) << each.name;
  }
}

TEST(ReferenceWork, ASmallOrUnknownGpuGetsWorkToo) {
  const ReferenceWork small = reference_work_on({.compute_major = 7, .compute_minor = 5, .multiprocessors = 1});
  EXPECT_EQ(small.products, 2) << "one forward and one backward";
  EXPECT_EQ(small.copied_bytes, 16 * mib);
  const GpuProperties later{
      .compute_major = 15, .multiprocessors = 200, .l2_bytes = 300 * mib, .memory_bytes = 8 * gib};
  EXPECT_EQ(reference_work_on(later).copied_bytes, 512 * mib) << "a sixteenth of its memory";
  EXPECT_GE(flops_of(reference_work_on(later)), 5e-3 * 200 * 256 * 2 * 3e9);
}

TEST(ReferenceWork, AmountsAreThoseOfTheKindOfGpu) {
  // A change here makes every stored baseline with a reference case on a GPU incomparable: raise the case's version.
  EXPECT_EQ(params_of(reference_work_on(sold[8].gpu)),
            (std::map<std::string, std::string>{
                {"matrix_side", "2048"}, {"products", "30"}, {"copied_bytes", "209715200"}, {"copies", "4"}}));
}

std::string refusal(const std::map<std::string, std::string>& params) {
  try {
    reference_work_from(params);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ReferenceWork, ParametersLeadBackToTheWorkTheyCameFrom) {
  const ReferenceWork work = reference_work_on(sold[1].gpu);
  EXPECT_EQ(reference_work_from(params_of(work)), work);
  auto params = params_of(work);
  params["products"] = "1";
  EXPECT_EQ(refusal(params), "reference case: products=1 is not a whole number of at least 2");
  params["products"] = "3x";
  EXPECT_THAT(refusal(params), HasSubstr("products=3x"));
  params.erase("products");
  EXPECT_EQ(refusal(params), "reference case: no products is given");
  params["products"] = "3";
  params["produkts"] = "3";
  EXPECT_EQ(refusal(params), "reference case: there is no parameter produkts");
}

}  // namespace
}  // namespace stepgate
