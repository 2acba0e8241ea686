#include "diagnose/work/source_of_change.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/observed_sample.h"
#include "diagnose/questions.h"
#include "diagnose/work/operator_findings.h"
#include "diagnose/work/work_location.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const SourceFrame forward_line{"CharLm::forward", "language/char_lm.cpp", 61};
const SourceFrame loss_line{"CharLm::loss", "language/char_lm.cpp", 70};
const SourceFrame other_loss_line{"CharLm::loss", "language/char_lm.cpp", 72};

ObservedCall item_at(const SourceFrame& frame) { return {"forward", "aten::item", frame}; }

TEST(SourceOfChange, ANewCallGetsItsLine) {
  SampleCase sample = trained_sample();
  inject(sample, "forward", {{"aten::item", 1}});
  remember(sample, {"forward", "aten::to", loss_line}, 1);
  observe(sample, item_at(forward_line), 1);
  sample.red("operators_per_step");
  const auto findings = explain_operators(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "forward: +1 aten::item at language/char_lm.cpp:61 in CharLm::forward per step");
  EXPECT_THAT(findings[0].sources, ElementsAre(forward_line));
}

TEST(SourceOfChange, OfACountThatGrewOnlyTheFunctionsWithMoreCallsAreNamed) {
  SampleCase sample;
  remember(sample, item_at(forward_line), 5);
  remember(sample, item_at(loss_line), 2);
  observe(sample, item_at(forward_line), 5);
  observe(sample, item_at(loss_line), 1);
  observe(sample, item_at(other_loss_line), 2);
  EXPECT_THAT(sources_of(sample.input(), "forward", "aten::item"), ElementsAre(other_loss_line, loss_line));
  EXPECT_THAT(sources_of(sample.input(), "backward", "aten::item"), IsEmpty());
}

TEST(SourceOfChange, WithoutFunctionsInTheBaselineTheThreeLinesWithMostCallsAreNamed) {
  SampleCase sample;
  const SourceFrame rare{"CharLm::log", "language/char_lm.cpp", 80};
  observe(sample, item_at(rare), 1);
  observe(sample, item_at(forward_line), 2);
  observe(sample, item_at(loss_line), 3);
  observe(sample, item_at(other_loss_line), 2);
  observe(sample, item_at(forward_line), 2);  // from another caller
  const std::vector<SourceFrame> all = {forward_line, loss_line, other_loss_line};
  EXPECT_EQ(sources_of(sample.input(), "forward", "aten::item"), all);
  remember(sample, item_at(forward_line), 4);
  sample.portable.functions_from = name_of(FramesFrom::symbols);  // names of another kind
  EXPECT_EQ(sources_of(sample.input(), "forward", "aten::item"), all);
}

TEST(SourceOfChange, FunctionsThatCalledMoreBeforeAreNamedWithoutLines) {
  SampleCase sample;
  remember(sample, {"forward", "aten::detach", forward_line}, 2);
  remember(sample, {"forward", "aten::detach", loss_line}, 1);
  observe(sample, {"forward", "aten::detach", loss_line}, 1);
  const SourceFrame gone{"CharLm::forward"};
  EXPECT_THAT(sources_of_less(sample.input(), "forward", "aten::detach"), ElementsAre(gone));
}

TEST(SourceOfChange, CountersNameTheLinesOfTheOperatorsBehindThem) {
  SampleCase sample;
  inject(sample, "forward", {{"aten::mul", 1}});
  observe(sample, {"forward", "aten::mul", loss_line}, 1);
  sample.current.counts.by_boundary["allocations_per_step"]["forward"] += sample_steps;
  for (std::int64_t& step : sample.current.counts.per_step["allocations_per_step"]) ++step;
  sample.red("allocations_per_step");
  const auto findings = explain_work_location(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].sources, ElementsAre(loss_line));
}

TEST(SourceOfChange, MergedCausesKeepTheLinesOfTheirParts) {
  SampleCase sample = trained_sample();
  inject(sample, "forward", {{"aten::mul", 1}});
  inject(sample, "backward", {{"aten::neg", 1}});
  observe(sample, {"forward", "aten::mul", forward_line}, 1);
  observe(sample, {"backward", "aten::neg", loss_line}, 1);
  sample.red("operators_per_step");
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_THAT(causes[0].sources, ElementsAre(forward_line, loss_line));
}

TEST(SourceOfChange, LinesThatAreMissingAreExplainedOnce) {
  SampleCase sample = trained_sample();
  inject(sample, "forward", {{"aten::item", 1}});
  observe(sample, item_at({"CharLm::forward"}), 1);
  sample.red("operators_per_step");
  EXPECT_THAT(explain_unknown_lines(sample.input()), IsEmpty());
  sample.current.counts.observed->frames_from = FramesFrom::symbols;
  sample.current.counts.observed->not_lines = "train holds no line information";
  const auto findings = explain_unknown_lines(sample.input());
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "no source lines: train holds no line information");
  EXPECT_EQ(explain_operators(sample.input())[0].message, "forward: +1 aten::item in CharLm::forward per step");
}

}  // namespace
}  // namespace stepgate
