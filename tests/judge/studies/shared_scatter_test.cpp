// Which experiments of a profile share their scatter.
#include <gtest/gtest.h>

#include "judge/studies/profiled_case.h"

namespace stepgate {
namespace {

TEST(SharedScatter, GainsShareTheirScatter) {
  ProfiledCase alone = four_processes();
  alone.add("logging-off", {0.79, 0.81, 0.8, 0.8});
  ProfiledCase beside = alone;
  beside.add("synthetic-batch", {0.59, 0.61, 0.6, 0.6});
  beside.add("optimizer-skipped", {0.49, 0.51, 0.5, 0.5});
  beside.add("optimizer-fused", {0.69, 0.71, 0.7, 0.7});
  // t(3) is 3.18 for one; for each of four t(12 / 1.75) is 3.3 at 1 - .05 / 4, where t(3) would be 5.4.
  const double ratio = width(beside.result(Experiment::logging_off)) / width(alone.result(Experiment::logging_off));
  EXPECT_GT(ratio, 1.0);
  EXPECT_LT(ratio, 1.4);
}

TEST(SharedScatter, WhatScattersMoreThanTheOthersKeepsItsOwnScatter) {
  ProfiledCase made = four_processes();
  made.add("logging-off", {0.79, 0.81, 0.8, 0.8});
  made.add("synthetic-batch", {0.59, 0.61, 0.6, 0.6});
  made.add("optimizer-skipped", {0.7, 0.9, 0.8, 0.8});
  EXPECT_GT(width(made.result(Experiment::optimizer_skipped)), 1.5 * width(made.result(Experiment::logging_off)));
}

TEST(SharedScatter, WhatLoadsAnotherCoreIsNotPooled) {
  ProfiledCase made = four_processes();
  made.add("logging-off", {0.79, 0.81, 0.8, 0.8});
  made.add("busy-core", {1.0, 1.001, 1.0, 1.001});
  ProfiledCase loud = four_processes();
  loud.add("logging-off", {0.79, 0.81, 0.8, 0.8});
  loud.add("busy-core", {1.0, 1.5, 1.1, 1.0});
  EXPECT_EQ(width(loud.result(Experiment::logging_off)), width(made.result(Experiment::logging_off)));
}

}  // namespace
}  // namespace stepgate
