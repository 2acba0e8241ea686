#include "json/records/memory_timeline_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/golden.h"

namespace stepgate {
namespace {

/// 1000 live at the begin; 1150 at the peak, after the second event.
MemoryProfile two_boundaries() {
  MemoryProfile memory;
  memory.ledger =
      MemoryLedger{.peak_bytes = 1160,
                   .step = 4,
                   .boundary = "forward",
                   .bytes = {{"activations", 120}, {"parameters", 1000}, {"temporaries", 30}, {"rounding", 10}}};
  memory.timeline_base_bytes = 1000;
  memory.timeline = {{120, "activations", "forward"},
                     {30, "temporaries", "forward"},
                     {-30, "temporaries", "forward"},
                     {-120, "activations", "backward"}};
  return memory;
}

nlohmann::json trace_of(const MemoryProfile& memory) {
  return nlohmann::json::parse(trace_viewer_text("a/b/c", memory)).at("traceEvents");
}

/// The series of one counter at each moment, as a viewer draws them.
std::vector<std::map<std::string, std::int64_t>> counter(const nlohmann::json& events, const std::string& name) {
  std::vector<std::map<std::string, std::int64_t>> values;
  for (const auto& event : events) {
    if (event.at("ph") == "C" && event.at("name") == name) values.push_back(event.at("args"));
  }
  return values;
}

TEST(MemoryTimelineJson, EveryEventHasWhatTheFormatAsksFor) {
  for (const auto& event : trace_of(two_boundaries())) {
    EXPECT_TRUE(event.at("name").is_string());
    EXPECT_TRUE(event.at("pid").is_number_integer());
    const std::string phase = event.at("ph");
    EXPECT_EQ(phase != "M", event.contains("ts") && event.at("ts").is_number_unsigned()) << event;
    EXPECT_EQ(phase == "X", event.contains("dur") && event.at("dur") > 0) << event;
    if (phase == "C") {
      for (const auto& [series, value] : event.at("args").items()) EXPECT_TRUE(value.is_number_integer()) << event;
    }
    EXPECT_NE(std::string("MXCi").find(phase), std::string::npos);
  }
}

TEST(MemoryTimelineJson, KindsStartFromTheLedgerAndNeverFallBelowZero) {
  const auto live = counter(trace_of(two_boundaries()), "live memory");
  ASSERT_EQ(live.size(), 5U);
  EXPECT_EQ(live[0],
            (std::map<std::string, std::int64_t>{{"activations", 0}, {"parameters", 1000}, {"temporaries", 0}}));
  EXPECT_EQ(live[2].at("temporaries"), 30);
  EXPECT_EQ(live[4], live[0]);
  const auto sum = counter(trace_of(two_boundaries()), "live bytes");
  EXPECT_EQ(sum[2].at("bytes"), 1150);
}

TEST(MemoryTimelineJson, BoundariesFollowOneAnotherWithoutAGap) {
  std::vector<std::pair<std::string, std::pair<int, int>>> slices;
  for (const auto& event : trace_of(two_boundaries())) {
    if (event.at("ph") == "X") slices.push_back({event.at("name"), {event.at("ts"), event.at("dur")}});
  }
  ASSERT_EQ(slices.size(), 2U);
  EXPECT_EQ(slices[0], (std::pair<std::string, std::pair<int, int>>{"forward", {0, 3}}));
  EXPECT_EQ(slices[1], (std::pair<std::string, std::pair<int, int>>{"backward", {3, 1}}));
}

TEST(MemoryTimelineJson, WhatTheLedgerDoesNotKnowIsOther) {
  MemoryProfile memory = two_boundaries();
  memory.ledger->bytes["parameters"] = 900;
  EXPECT_EQ(counter(trace_of(memory), "live memory")[0].at("other"), 100);
  EXPECT_EQ(counter(trace_of(memory), "live bytes")[0].at("bytes"), 1000);
  memory.ledger->bytes["activations"] = 119;  // of another step: its peak had less
  EXPECT_EQ(counter(trace_of(memory), "live memory")[0].at("other"), 1000);
  EXPECT_EQ(counter(trace_of(memory), "live memory")[0].at("activations"), 0);
  memory.ledger = std::nullopt;
  EXPECT_EQ(counter(trace_of(memory), "live memory")[0].at("other"), 1000);
}

TEST(MemoryTimelineJson, NamesFromFilesAreEscaped) {
  MemoryProfile memory = two_boundaries();
  memory.timeline[0].boundary = "\"}],\n\xff";
  const auto events = nlohmann::json::parse(trace_viewer_text("</script>\"", memory)).at("traceEvents");
  EXPECT_EQ(events.at(0).at("args").at("name"), "</script>\"");
}

TEST(MemoryTimelineJson, GoldenTrace) {
  expect_golden("json/memory_timeline.json", trace_viewer_text("language/char_lm/tiny", two_boundaries()));
}

}  // namespace
}  // namespace stepgate
