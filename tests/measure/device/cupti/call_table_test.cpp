#include "measure/device/cupti/call_table.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/metric.h"

namespace stepgate {
namespace {

TEST(CallTable, KnowsAFunctionInAllItsVersions) {
  EXPECT_EQ(cupti::without_version("cudaMemcpyAsync_v3020"), "cudaMemcpyAsync");
  EXPECT_EQ(cupti::without_version("cudaMemcpyAsync_ptsz_v7000"), "cudaMemcpyAsync");
  EXPECT_EQ(cupti::without_version("cuMemcpyHtoD_v2_ptds"), "cuMemcpyHtoD");
  EXPECT_EQ(cupti::without_version("cuLaunchKernel"), "cuLaunchKernel");
  EXPECT_EQ(cupti::without_version("cuGLMap_vbo_v"), "cuGLMap_vbo_v");
  EXPECT_EQ(cupti::without_version(""), "");
}

TEST(CallTable, CountsTheLaunchThatTheCompilerOfCuda13Makes) {
  for (const char* name : {"__cudaLaunchKernel_v13000", "__cudaLaunchKernel_ptsz_v13000"}) {
    const cupti::CallRow* row = cupti::find_call(cupti::without_version(name));
    ASSERT_NE(row, nullptr) << name;
    EXPECT_EQ(row->kind, cupti::CallKind::kernel);
  }
}

TEST(CallTable, HasEachFunctionOnce) {
  std::set<std::string_view> functions;
  for (const cupti::CallRow& row : cupti::call_table()) EXPECT_TRUE(functions.insert(row.function).second);
  EXPECT_EQ(cupti::find_call("cudaGetDevice"), nullptr);
}

TEST(CallTable, CountsInMetricsOfTheCatalogueThatOnlyCompareOnOneRunner) {
  for (const std::string_view name : cupti::counted_metrics()) {
    const Metric* metric = find_metric(name);
    ASSERT_NE(metric, nullptr) << name;
    EXPECT_EQ(metric->tier, Tier::exact);
    EXPECT_EQ(metric->scope, Scope::runner);
    EXPECT_TRUE(metric->gates);
  }
}

TEST(CallTable, LaunchesAndAsynchronousCallsDoNotWait) {
  for (const cupti::CallRow& row : cupti::call_table()) {
    const std::string function(row.function);
    const bool synchronises =
        function.find("ynchronize") != std::string::npos || function.find("Free") != std::string::npos;
    if (function.ends_with("Async") || row.kind == cupti::CallKind::kernel) {
      EXPECT_FALSE(row.waits) << function;
    }
    EXPECT_EQ(row.kind == cupti::CallKind::waiting, synchronises) << function;
  }
}

}  // namespace
}  // namespace stepgate
