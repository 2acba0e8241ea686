// Gradient accumulation that is lost, and a schedule that stands still.
#include "diagnose/work/more_updates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/injected_operators.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

/// One update in `every` of 16 counted steps, and now one in each.
SampleCase lost_accumulation(std::int64_t every) {
  constexpr std::int64_t steps = 16;
  SampleCase sample = trained_sample();
  const std::int64_t updates = steps / every;
  sample.portable.exact["operators_per_step"].assign(steps, 20);
  sample.current.counts.per_step["operators_per_step"].assign(steps, 44);
  sample.portable.operators["optimizer"] = {{"aten::mul_", 8 * updates}, {"aten::addcmul_", 4 * updates}};
  sample.current.counts.operators["optimizer"] = {{"aten::mul_", 8 * steps}, {"aten::addcmul_", 4 * steps}};
  sample.red("operators_per_step");
  return sample;
}

TEST(MoreUpdates, AnUpdateAfterEachMicroBatchIsNamed) {
  const auto causes = only_causes(diagnose(lost_accumulation(4).input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "updates-more-often");
  EXPECT_THAT(causes[0].message, AllOf(HasSubstr("each of its 2 operators is called 4 times as often"),
                                       HasSubstr("parameters are updated 4 times as often")));
  EXPECT_THAT(causes[0].advice, HasSubstr("micro-batch"));
}

TEST(MoreUpdates, ManyMicroBatchesAreNoLoopInPlaceOfABatch) {
  const auto causes = only_causes(diagnose(lost_accumulation(16).input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "updates-more-often");
}

TEST(MoreUpdates, GradientsThatAreSetAndReleasedMoreOftenAreNoFurtherParameters) {
  SampleCase sample = lost_accumulation(4);
  const auto share = [&](const char* boundary, const char* name, std::int64_t before, std::int64_t now) {
    sample.portable.operators[boundary][name] = before;
    sample.current.counts.operators[boundary][name] = now;
  };
  share("optimizer", "aten::detach_", 4 * 4, 4 * 16);  // four parameters
  share("backward", "aten::detach", 4 * 4, 4 * 16);
  share("backward", "aten::add_", 4 * 12, 0);
  sample.current.counts.operators["backward"].erase("aten::add_");
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "updates-more-often");
}

TEST(MoreUpdates, ALargerModelIsNamedAsSuch) {
  SampleCase sample = lost_accumulation(4);
  sample.current.counts.operators["forward"]["aten::mm"] += 16;
  EXPECT_THAT(explain_more_updates(sample.input()), IsEmpty());
}

TEST(MoreUpdates, TheLossThatFollowsIsPartOfIt) {
  SampleCase sample = lost_accumulation(4);
  for (NumericTrace& now : sample.current.numerics) now.loss = {4.0, 3.4, 3.0, 2.7};
  sample.red("loss");
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "updates-more-often");
}

TEST(MoreUpdates, OneOperatorThatRisesOtherwiseIsAnotherFault) {
  SampleCase sample = lost_accumulation(4);
  sample.current.counts.operators["optimizer"]["aten::mul_"] += 16;
  EXPECT_THAT(explain_more_updates(sample.input()), IsEmpty());
  sample = lost_accumulation(4);
  sample.current.counts.operators["optimizer"]["aten::sqrt"] = 16;
  EXPECT_THAT(explain_more_updates(sample.input()), IsEmpty());
  EXPECT_THAT(explain_more_updates(lost_accumulation(1).input()), IsEmpty()) << "nothing changed";
}

TEST(MoreUpdates, IsSilentWhereNothingIsRed) {
  SampleCase sample = lost_accumulation(4);
  sample.verdict.status = Status::pass;
  EXPECT_THAT(explain_more_updates(sample.input()), IsEmpty());
}

TEST(MoreUpdates, AScheduleThatStandsStillIsADifferenceThatStartsLater) {
  SampleCase sample = trained_sample();
  for (NumericTrace& now : sample.current.numerics) now.loss[3] = 2.9;  // up to the first update all is equal
  sample.red("loss");
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "numerics-diverge");
  EXPECT_THAT(causes[0].advice, AllOf(HasSubstr("a schedule"), HasSubstr("accumulated gradients")));
}

}  // namespace
}  // namespace stepgate
