#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/injected_operators.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

/// A target of another model that is no longer cut off: backward runs through that model.
SampleCase target_with_graph() {
  SampleCase sample = trained_sample();
  sample.portable.operators["forward"]["aten::detach"] = sample_steps;
  sample.current.counts.operators["forward"]["aten::detach"] = sample_steps;
  inject(sample, "forward", {{"aten::detach", -1}});
  inject(sample, "backward", {{"aten::neg", 1}, {"aten::mm", 1}, {"aten::sum", 1}, {"aten::t", 3}, {"aten::add_", 2}});
  sample.red("operators_per_step");
  return sample;
}

TEST(LostDetach, OfATargetIsNamedWithWhatBackwardDoesMore) {
  const auto causes = only_causes(diagnose(target_with_graph().input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "detach-lost");
  EXPECT_THAT(causes[0].message, HasSubstr("forward: 1 detach() less per step, and backward does more"));
  EXPECT_THAT(causes[0].message, HasSubstr("with it backward: +2 aten::add_, +1 aten::neg"));
}

TEST(LostDetach, InTheLogTakesTheMemoryThatGrows) {
  SampleCase sample = trained_sample();
  inject(sample, "logging", {{"aten::detach", -1}});
  sample.current.bytes["leak_bytes_per_step"] = {4096};
  sample.red("leak_bytes_per_step");
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "detach-lost");
  EXPECT_EQ(causes[0].metric, "leak_bytes_per_step");
  EXPECT_THAT(causes[0].message, HasSubstr("logging: 1 detach() less per step, and memory grows with the run"));
  EXPECT_THAT(causes[0].message, HasSubstr("with it each step leaves 4 096 B behind"));
}

TEST(LostDetach, NeedsASignOfTheGraph) {
  SampleCase removed = trained_sample();  // a detach() that was not needed
  inject(removed, "logging", {{"aten::detach", -1}});
  removed.red("operators_per_step");
  EXPECT_THAT(explain_lost_detach(removed.input()), IsEmpty());
  SampleCase accumulating = trained_sample();  // backward's own detach is that of gradients
  inject(accumulating, "backward", {{"aten::detach", -4}, {"aten::add_", 4}});
  accumulating.red("operators_per_step");
  EXPECT_THAT(explain_lost_detach(accumulating.input()), IsEmpty());
  SampleCase green = target_with_graph();
  green.verdict.status = Status::pass;
  EXPECT_THAT(explain_lost_detach(green.input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
