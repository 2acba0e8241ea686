#include "report/studies/sweep_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/studies/sweep_text.h"
#include "support/golden.h"
#include "support/sample_sweep.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SweepReport, LooksAsApproved) {
  expect_golden("sweep.txt", render_sweep(sample_sweep(), {.color = false, .ascii = true, .width = 110}));
}

TEST(SweepReport, OnlyNotesWhatIsWorthIt) {
  Sweep sweep = sample_sweep();
  sweep.cpus_had = sweep.cpus;
  sweep.settings[6].tainted = 0;
  EXPECT_THAT(render_sweep(sweep, {}), Not(HasSubstr("note")));
  sweep.interrupted = true;
  EXPECT_THAT(render_sweep(sweep, {}), HasSubstr("stopped by a signal"));
}

TEST(SweepReport, NamesTheNodesThatMeasured) {
  Sweep sweep = sample_sweep();
  sweep.places = {"node1 CPU 0", "node2 CPU 1", "node1 CPU 0", "", ""};
  sweep.seconds = 0;
  const std::string text = render_sweep(sweep, {.width = 200});
  EXPECT_THAT(text, HasSubstr("node1 CPU 0 (2 rounds), node2 CPU 1 (1 round)"));
  EXPECT_THAT(text, Not(HasSubstr(" 0 s"))) << "how long nodes took is not known when they are merged";
}

TEST(SweepReport, MeasuredNothingIsATableOfReasons) {
  Sweep sweep = sample_sweep();
  sweep.ranking = {};
  for (std::size_t i = 0; i < sweep.settings.size(); ++i) {
    sweep.settings[i].failure = "no";
    sweep.ranking.ranks.push_back({.setting = i});
  }
  const std::string text = render_sweep(sweep, {});
  EXPECT_THAT(text, HasSubstr("not ranked"));
  EXPECT_THAT(text, Not(HasSubstr("best       ")));
}

TEST(SweepText, AKneeIsOneSentence) {
  Knee knee{"loader_workers", "1", More::does_not_help, "2", 0.003, Interval{-0.011, 0.018}};
  EXPECT_EQ(knee_text(knee), "more than 1 does not help: 2 brings +0.30 % [-1.1 %, +1.8 %]");
  knee.more = More::not_seen_to_help;
  EXPECT_THAT(knee_text(knee), HasSubstr("does not seem to help, and more rounds would decide"));
  knee.more = More::may_help;
  knee.interval.reset();
  EXPECT_EQ(knee_text(knee), "1 is the largest value tried and still the best, +0.30 % over 2: more may help");
}

}  // namespace
}  // namespace stepgate
