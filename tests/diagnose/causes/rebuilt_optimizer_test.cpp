#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "diagnose/pattern_sample.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::IsEmpty;

/// A copy of each parameter behind the step: the optimizer keeps its state.
SampleCase with_a_snapshot(const std::string& from) {
  SampleCase sample = pattern_sample();
  sample.red("operators_per_step");
  inject(sample, "optimizer", {{"aten::clone", 4}, {"aten::copy_", 4}, {"aten::empty_like", 4}});
  add_site(*sample.current.counts.observed,
           {"optimizer", "aten::clone", 4, {tensor({32, 97}, from)}, {tensor({32, 97})}, "", {}, false, 23});
  return sample;
}

TEST(RebuiltOptimizer, IsNoSnapshotOfTheWeights) {
  SampleCase sample = with_a_snapshot("parameter");
  for (NumericTrace& trace : sample.current.numerics) trace.loss[2] += 0.1;
  EXPECT_THAT(explain_patterns(sample.input()), IsEmpty());
  sample = with_a_snapshot("gradient");
  for (NumericTrace& trace : sample.current.numerics) trace.loss[2] += 0.1;
  ASSERT_THAT(explain_patterns(sample.input()), testing::SizeIs(1)) << "SGD clones its first gradient";
  EXPECT_EQ(name_of(explain_patterns(sample.input())[0].code), "optimizer-rebuilt");
}

/// As with_a_snapshot(), of the detach() of something.
SampleCase with_a_copy_of_detached(const std::string& from) {
  SampleCase sample = with_a_snapshot("aten::detach");
  for (NumericTrace& trace : sample.current.numerics) trace.loss[2] += 0.1;
  add_site(*sample.current.counts.observed,
           {"optimizer", "aten::detach", 4, {tensor({32, 97}, from)}, {tensor({32, 97})}, "", {}, false, 23});
  auto& sites = sample.current.counts.observed->sites;
  sites.back().place = sites[sites.size() - 2].place;
  return sample;
}

TEST(RebuiltOptimizer, DetachesItsGradientBeforeItClonesIt) {
  EXPECT_THAT(explain_patterns(with_a_copy_of_detached("parameter").input()), IsEmpty());
  const auto findings = explain_patterns(with_a_copy_of_detached("aten::add").input());  // the weight decay is added
  ASSERT_THAT(findings, testing::SizeIs(1));
  EXPECT_EQ(name_of(findings[0].code), "optimizer-rebuilt");
}

TEST(RebuiltOptimizer, ChangesLosses) {
  EXPECT_THAT(explain_patterns(with_a_snapshot("gradient").input()), IsEmpty()) << "equal losses: its state was kept";
}

}  // namespace
}  // namespace stepgate
