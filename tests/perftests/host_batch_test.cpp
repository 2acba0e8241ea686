// Page-locked batches need a GPU: tests/emulated/first_counted_step_test.py.
#include "support/host_batch.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace stepgate {
namespace {

const torch::TensorOptions host_numbers = torch::TensorOptions().dtype(torch::kInt64);

TEST(HostBatch, HasItsSizesAndNoLargerMemory) {
  const torch::Tensor batch = host_batch({4, 16}, 4 * 64, host_numbers);
  EXPECT_EQ(batch.sizes(), (std::vector<std::int64_t>{4, 16}));
  EXPECT_EQ(batch.scalar_type(), torch::kInt64);
  EXPECT_TRUE(batch.is_contiguous());
  EXPECT_EQ(batch.storage().nbytes(), 4 * 16 * sizeof(std::int64_t)) << "only page-locked memory is kept by size";
}

TEST(HostBatch, RefusesMoreThanTheLargestBatch) {
  EXPECT_NO_THROW(host_batch({4, 64}, 4 * 64, host_numbers));
  EXPECT_THROW(host_batch({4, 65}, 4 * 64, host_numbers), std::invalid_argument);
}

}  // namespace
}  // namespace stepgate
