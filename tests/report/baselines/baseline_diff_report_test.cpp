#include "report/baselines/baseline_diff_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/golden.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

BaselineDiff moved_diff() {
  BaselineDiff diff;
  diff.case_name = "language/char_lm/tiny";
  diff.runner_class = "portable";
  diff.committed_by = "9f2c1ab, 2026-11-09: new attention";
  diff.anchor_from = "1a2b3c4, 2026-03-01";
  diff.rows = {{"operators_per_step", 412, 413, 413.0 / 412 - 1, 0.12, true},
               {"allocations_per_step", 96, 96, 0, 0.05, false},
               {"h2d_bytes_per_step", 512, 512, 0, 0, true},
               {"peak_allocated_bytes", 1310720, 1310724, 4.0 / 1310720, 0.031, true},
               {"loss", 2.1042, 2.1043, 0.0001 / 2.1042, std::nullopt, true},
               {"custom_metric", std::nullopt, 3, std::nullopt, std::nullopt, true},
               {"host_syncs_per_step", 1, std::nullopt, std::nullopt, std::nullopt, true}};
  diff.operators = {
      {"forward", "aten::contiguous", 0, 1}, {"forward", "aten::view", 3, 2}, {"backward", "aten::mm", 8, 9}};
  diff.key_facts = {{"torch", "2.10.0", "2.11.0"}, {"isa", "AVX2", ""}};
  return diff;
}

BaselineDiff first_diff() {
  BaselineDiff diff;
  diff.case_name = "vision/mlp/wide";
  diff.runner_class = "h200-16c";
  diff.first = true;
  diff.rows = {{"step_time_ns", std::nullopt, 14.3e6, std::nullopt, std::nullopt, true}};
  diff.operators = {{"forward", "aten::mm", 0, 9}};
  diff.sessions_after = 1;
  return diff;
}

TEST(BaselineDiffReportGolden, MovedAndFirst) {
  expect_golden("report/baseline_diff.txt", render_baseline_diffs({moved_diff(), first_diff()}, {}));
}

TEST(BaselineDiffReport, FoldsWhatDidNotMove) {
  EXPECT_THAT(render_baseline_diffs({moved_diff()}, {}), Not(HasSubstr("allocations")));
  EXPECT_THAT(render_baseline_diffs({moved_diff()}, {.verbose = true}), HasSubstr("allocations"));
}

TEST(BaselineDiffReport, ShowsEveryByteOfASmallMove) {
  EXPECT_THAT(render_baseline_diffs({moved_diff()}, {}), HasSubstr("1 310 720 B  1 310 724 B  +4 B (+0.00031 %)"));
}

TEST(BaselineDiffReport, SaysThatThereIsNothing) { EXPECT_EQ(render_baseline_diffs({}, {}), "no pending baselines\n"); }

}  // namespace
}  // namespace stepgate
