#include "stats/spans.h"

#include <gtest/gtest.h>

#include <random>

namespace stepgate {

void PrintTo(const Span& span, std::ostream* out) { *out << '[' << span.begin << ", " << span.end << ')'; }

namespace {

constexpr std::int64_t end_of_line = 60;

/// One cell per unit of time: the plainest form of a set of spans.
using Cells = std::vector<bool>;

Cells cells_of(const std::vector<Span>& spans) {
  Cells cells(end_of_line);
  for (const Span& span : spans) {
    for (std::int64_t at = span.begin; at < span.end; ++at) cells[static_cast<std::size_t>(at)] = true;
  }
  return cells;
}

void expect_ordered(const Spans& spans) {
  for (std::size_t i = 0; i < spans.size(); ++i) {
    EXPECT_LT(spans[i].begin, spans[i].end);
    EXPECT_TRUE(i == 0 || spans[i - 1].end < spans[i].begin) << i;
  }
}

TEST(Spans, AgreeWithCellsOfTime) {
  std::mt19937 random(7);
  const auto draw = [&](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(0, most)(random); };
  const auto draw_spans = [&] {
    std::vector<Span> spans(static_cast<std::size_t>(draw(8)));
    for (Span& span : spans) span = {draw(end_of_line - 1), draw(end_of_line - 1)};  // some empty, some reversed
    return spans;
  };
  for (int round = 0; round < 2000; ++round) {
    const std::vector<Span> some = draw_spans();
    const std::vector<Span> more = draw_spans();
    const Spans a = merged(some);
    const Spans b = merged(more);
    const Cells in_a = cells_of(some);
    const Cells in_b = cells_of(more);
    Cells both(end_of_line);
    Cells only_a(end_of_line);
    for (std::size_t i = 0; i < both.size(); ++i) {
      both[i] = in_a[i] && in_b[i];
      only_a[i] = in_a[i] && !in_b[i];
    }
    expect_ordered(a);
    expect_ordered(common(a, b));
    expect_ordered(without(a, b));
    ASSERT_EQ(cells_of(a), in_a);
    ASSERT_EQ(cells_of(common(a, b)), both);
    ASSERT_EQ(cells_of(without(a, b)), only_a);
    ASSERT_EQ(total_length(a), total_length(common(a, b)) + total_length(without(a, b)));
    for (std::int64_t at = 0; at < end_of_line; ++at) ASSERT_EQ(contains(a, at), in_a[static_cast<std::size_t>(at)]);
    const Span window{draw(end_of_line), draw(end_of_line)};
    ASSERT_EQ(length_within(a, window), total_length(common(a, merged({window}))));
  }
}

TEST(Spans, ThatTouchBecomeOne) { EXPECT_EQ(merged({{5, 9}, {1, 5}, {20, 10}, {7, 7}}), (Spans{{1, 9}})); }

}  // namespace
}  // namespace stepgate
