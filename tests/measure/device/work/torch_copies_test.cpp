// Casts and copies that the observer counts: exactly, wherever they run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>

#include "measure/device/work/work_observer.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

struct Copied {
  ObservedTotals totals;
  ObservedWork work;

  std::vector<OperatorSite> copies() const {
    std::vector<OperatorSite> found;
    std::ranges::copy_if(work.sites, std::back_inserter(found),
                         [](const OperatorSite& site) { return site.name == "aten::copy_"; });
    return found;
  }
};

template <typename Body>
Copied copied(Body body) {
  WorkObserver observer({});
  observer.start();
  observer.enter("forward");
  body();
  observer.leave();
  observer.end_step();
  observer.stop();
  const ObservedTotals totals = observer.totals();
  return {totals, observer.take()};
}

TEST(ObservedCopies, AreCastsWhereTheDtypeChanges) {
  const at::Tensor values = at::ones({8, 16});
  const Copied seen = copied([&] {
    values.to(at::kBFloat16);
    values.to(at::kFloat);  // as it is
    at::ones({}).to(at::kDouble);
  });
  EXPECT_THAT(seen.totals.casts, ElementsAre(Pair("float32 to bfloat16", 1))) << "one element does not count";
  EXPECT_EQ(seen.totals.cast_bytes, 8 * 16 * (4 + 2)) << "read as float32, written as bfloat16";
  EXPECT_EQ(seen.totals.copy_bytes, 0);
}

TEST(ObservedCopies, CountWhatIsReadAndWritten) {
  const at::Tensor values = at::ones({8, 16});
  const at::Tensor row = at::ones({1, 16});
  EXPECT_EQ(copied([&] { values.t().contiguous(); }).totals.copy_bytes, 2 * 8 * 16 * 4);
  EXPECT_EQ(copied([&] { row.expand({8, 16}).contiguous(); }).totals.copy_bytes, (1 + 8) * 16 * 4);
  const Copied seen = copied([&] { values.contiguous(); });
  EXPECT_EQ(seen.totals.copy_bytes, 0) << "it is";
  EXPECT_THAT(seen.totals.casts, IsEmpty());
}

TEST(ObservedCopies, KnowTheOperatorsInWhichTheyRun) {
  const auto plain = copied([] { at::ones({8, 16}).t().reshape({-1}); }).copies();
  ASSERT_EQ(plain.size(), 1U);
  EXPECT_THAT(plain[0].callers, ElementsAre("aten::reshape", "aten::clone"));
}

TEST(ObservedCopies, AreSeenInsideAMatrixProduct) {
  // Columns of every second element: BLAS takes neither order.
  const at::Tensor gaps = at::ones({16, 16}).slice(1, 0, 16, 2).slice(0, 0, 16, 2);
  const at::Tensor other = at::ones({8, 8});
  const Copied seen = copied([&] { at::mm(gaps, other); });
  const auto inside = seen.copies();
  ASSERT_EQ(inside.size(), 1U);
  EXPECT_EQ(inside[0].callers.front(), "aten::mm");
  EXPECT_EQ(inside[0].bytes, 0) << "it is a part of the product's work";
  EXPECT_EQ(inside[0].copied_bytes, 2 * 8 * 8 * 4);
  EXPECT_EQ(seen.totals.copy_bytes, inside[0].copied_bytes);
  EXPECT_EQ(copied([&] { at::mm(other.t(), other); }).totals.copy_bytes, 0) << "transposed is as good";
}

TEST(ObservedCopies, AlignmentIsWeighedByFlops) {
  const at::Tensor left = at::ones({8, 16}, at::kBFloat16);
  const at::Tensor right = at::ones({16, 10}, at::kBFloat16);
  EXPECT_EQ(copied([&] { at::mm(left, right); }).totals.misaligned_flops, 2 * 8 * 16 * 10);
  EXPECT_EQ(copied([&] { at::mm(left, right.slice(1, 0, 8)); }).totals.misaligned_flops, 0);
}

}  // namespace
}  // namespace stepgate
