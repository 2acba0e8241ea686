#include "emulator/values/tensor_stretches.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <vector>

namespace stepgate::emulator {
namespace {

struct FoundStretch {
  std::ptrdiff_t offset = 0;
  std::uint64_t bytes = 0;
  bool has_gaps = false;

  bool operator==(const FoundStretch&) const = default;
};

/// Of a part of `whole`, as offsets in it.
std::vector<FoundStretch> stretches_in(const at::Tensor& whole, const at::Tensor& part) {
  MemoryAccesses accesses;
  add_stretches(accesses, part, true);
  std::vector<FoundStretch> found;
  for (const MemoryAccess& access : accesses) {
    EXPECT_TRUE(access.writes);
    found.push_back({static_cast<const char*>(access.begin) - static_cast<const char*>(whole.data_ptr()), access.bytes,
                     access.has_gaps});
  }
  return found;
}

TEST(TensorStretches, ADenseTensorIsOneWhateverItsOrder) {
  const at::Tensor whole = at::zeros({4, 6});
  const std::vector<FoundStretch> all = {{0, 96, false}};
  EXPECT_EQ(stretches_in(whole, whole), all);
  EXPECT_EQ(stretches_in(whole, whole.t()), all);
  EXPECT_EQ(stretches_in(whole, whole.view({2, 2, 6}).permute({2, 0, 1})), all);
  const std::vector<FoundStretch> rows = {{24, 48, false}};
  EXPECT_EQ(stretches_in(whole, whole.narrow(0, 1, 2)), rows);
}

TEST(TensorStretches, ColumnsAreAPieceARow) {
  const at::Tensor whole = at::zeros({3, 6});
  const std::vector<FoundStretch> pieces = {{8, 8, false}, {32, 8, false}, {56, 8, false}};
  EXPECT_EQ(stretches_in(whole, whole.narrow(1, 2, 2)), pieces);
}

TEST(TensorStretches, ManyPiecesAreOneWithGaps) {
  const at::Tensor whole = at::zeros({1000, 4});
  const std::vector<FoundStretch> hull = {{4, 999 * 16 + 4, true}};
  EXPECT_EQ(stretches_in(whole, whole.narrow(1, 1, 1)), hull);
}

TEST(TensorStretches, WhatIsRepeatedIsReadOnce) {
  const at::Tensor whole = at::zeros({4});
  const std::vector<FoundStretch> all = {{0, 16, false}};
  EXPECT_EQ(stretches_in(whole, whole.expand({5, 4})), all);
  EXPECT_EQ(stretches_in(whole, whole.unfold(0, 2, 1)), all);
}

TEST(TensorStretches, NothingOfWhatHasNoNumbers) {
  const at::Tensor whole = at::zeros({4});
  EXPECT_TRUE(stretches_in(whole, at::Tensor()).empty());
  EXPECT_TRUE(stretches_in(whole, whole.narrow(0, 1, 0)).empty());
}

}  // namespace
}  // namespace stepgate::emulator
