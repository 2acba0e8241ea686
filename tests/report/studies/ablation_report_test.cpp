#include "report/studies/ablation_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/golden.h"
#include "support/sample_ablation.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

const ConsoleStyle plain_text = {.color = false, .ascii = true, .width = 110, .verbose = false};

TEST(AblationReport, GoldenOfATable) {
  expect_golden("report/ablation.txt", render_ablation(sample_ablation(), plain_text));
}

TEST(AblationReport, GoldenOfAWideTerminal) {
  ConsoleStyle wide = plain_text;
  wide.width = 140;
  expect_golden("report/ablation_140.txt", render_ablation(sample_ablation(), wide));
}

TEST(AblationReport, DropsColumnsThatDoNotFit) {
  ConsoleStyle narrow = plain_text;
  narrow.width = 80;
  const std::string text = render_ablation(sample_ablation(), narrow);
  EXPECT_THAT(text, Not(HasSubstr("inside a process")));
  EXPECT_THAT(text, Not(HasSubstr("pairs  ")));
  EXPECT_THAT(text, HasSubstr("0.23 .. 0.61"));
}

TEST(AblationReport, VerboseAlsoGivesTheReasonsOfIndifferentKnobs) {
  ConsoleStyle verbose = plain_text;
  verbose.verbose = true;
  EXPECT_THAT(render_ablation(sample_ablation(), plain_text), Not(HasSubstr("ruled out")));
  EXPECT_THAT(render_ablation(sample_ablation(), verbose), HasSubstr("affinity: a factor of 1.5"));
}

TEST(AblationReport, ColourDoesNotMoveColumns) {
  ConsoleStyle colored = plain_text;
  colored.color = true;
  EXPECT_THAT(render_ablation(sample_ablation(), colored), HasSubstr("  \x1b[32muse        \x1b[0m  governor"));
}

TEST(AblationReport, NothingMeasuredIsNoTable) {
  Ablation ablation = sample_ablation();
  ablation.knobs.erase(ablation.knobs.begin(), ablation.knobs.begin() + 4);
  ablation.recommended = "";
  ablation.interrupted = true;
  const std::string text = render_ablation(ablation, plain_text);
  EXPECT_THAT(text, Not(HasSubstr("spread without")));
  EXPECT_THAT(text, HasSubstr("why        partition: not measured"));
  EXPECT_THAT(text, HasSubstr("stopped by a signal"));
  EXPECT_THAT(text, HasSubstr("recommend  nothing: no knob was measured"));
}

TEST(AblationReport, TheDefaultsCanBeRight) {
  Ablation ablation = sample_ablation();
  ablation.recommended = "";
  EXPECT_THAT(render_ablation(ablation, plain_text), HasSubstr("recommend  the defaults"));
}

}  // namespace
}  // namespace stepgate
