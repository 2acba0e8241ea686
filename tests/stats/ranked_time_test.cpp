#include "stats/ranked_time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace stepgate {
namespace {

struct RankedSpan {
  Span span;
  std::size_t rank = 0;
};

/// Counted cell by cell: who has each moment of [10, 50), and how long nobody has one.
TEST(RankedTime, AgreesWithCellsOfTime) {
  std::mt19937 random(3);
  const auto draw = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
  for (int round = 0; round < 500; ++round) {
    std::vector<RankedSpan> spans(static_cast<std::size_t>(draw(9)));
    for (RankedSpan& item : spans) {
      item.span.begin = draw(58);
      item.span.end = item.span.begin + draw(20);
      item.rank = static_cast<std::size_t>(draw(2));
    }
    std::stable_sort(spans.begin(), spans.end(),
                     [](const RankedSpan& a, const RankedSpan& b) { return a.span.begin < b.span.begin; });
    std::array<std::int64_t, 4> truth = {};
    for (std::int64_t cell = 10; cell < 50; ++cell) {
      std::size_t owner = 3;
      for (const RankedSpan& item : spans) {
        if (item.span.begin <= cell && cell < item.span.end) owner = std::min(owner, item.rank);
      }
      ++truth[owner];
    }
    RankedTime time({10, 50}, 3);
    std::int64_t idle = 0;
    for (const RankedSpan& item : spans) {
      if (const auto gap = time.add(item.span, item.rank)) idle += gap->length();
    }
    if (const auto gap = time.finish()) idle += gap->length();
    EXPECT_EQ((std::array<std::int64_t, 4>{time.of(0), time.of(1), time.of(2), time.idle()}), truth);
    EXPECT_EQ(idle, truth[3]);
  }
}

}  // namespace
}  // namespace stepgate
