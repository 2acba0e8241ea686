#include "system/files/trace_cycles.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(TraceFile, LaterCyclesHaveANumber) {
  EXPECT_EQ(trace_file_of_cycle("out/trace.json.gz", 0), "out/trace.json.gz");
  EXPECT_EQ(trace_file_of_cycle("out/trace.json.gz", 1), "out/trace-2.json.gz");
  EXPECT_EQ(trace_file_of_cycle("out.json/trace", 2), "out.json/trace-3");
}

}  // namespace
}  // namespace stepgate
