#include "baseline/metric_line.h"

#include <gtest/gtest.h>

#include <sstream>

#include "baseline/sample_baseline.h"
#include "json/stored/baseline_json.h"

namespace stepgate {
namespace {

std::string line(const std::string& text, std::int64_t number) {
  std::istringstream stream(text);
  std::string found;
  for (std::int64_t i = 0; i < number; ++i) std::getline(stream, found);
  return found;
}

std::string line_of(const Baseline& baseline, std::string_view metric) {
  const std::string text = to_text(baseline);
  const MetricLines lines = lines_of_metrics(text);
  const auto found = lines.find(metric);
  return found == lines.end() ? "absent" : line(text, found->second);
}

TEST(MetricLine, FindsTheLineOfTheValueNotOfItsOperators) {
  EXPECT_EQ(line_of(portable_sample(), "operators_per_step"), "    \"operators_per_step\": [412, 412]");
  EXPECT_EQ(line_of(portable_sample(), "peak_allocated_bytes"), "    \"peak_allocated_bytes\": [1310720]");
  EXPECT_EQ(line_of(portable_sample(), "loss"), "    \"loss\": [4.0, 3.5],");
}

TEST(MetricLine, UsesTheNewestOfSeveralSessions) {
  Baseline baseline = runner_sample(1000, 1e7);
  baseline.sessions.push_back(session_at(9000, 2e7));
  EXPECT_EQ(line_of(baseline, "step_time_ns"), "        \"step_time_ns\": [20000000, 20000000, 20000000]");
}

TEST(MetricLine, IsAbsentWhereTheTextDoesNotHoldTheMetric) {
  EXPECT_EQ(line_of(portable_sample(), "step_time_ns"), "absent");
  EXPECT_EQ(line_of(portable_sample(), "forward"), "absent");  // a key of "where", no metric
  EXPECT_EQ(line_of(portable_sample(), ""), "absent");
  for (const char* text : {"", "{\"exact\":{\"operators_per_step\":[1]}}", "\n  \"exact\": {\n    \"oper"})
    EXPECT_TRUE(lines_of_metrics(text).empty()) << text;
}

}  // namespace
}  // namespace stepgate
