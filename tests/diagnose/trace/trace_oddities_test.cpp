// One file per oddity of a producer: what must come of it. generate.py writes them; docs/design/trace_account.md says
// who the producers are.
#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "diagnose/trace/account_of_trace.h"
#include "json/traces/trace_file.h"
#include "test_paths.h"

namespace stepgate {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

/// Microseconds of one step, without parts that are 0.
using PartsOfStep = std::map<std::string, double>;

/// What all these traces show, where their oddity is none of the steps'.
const PartsOfStep two_plain_steps = {{"compute", 80}, {"idle-kernel-gap", 1}, {"idle-launch", 19}};

struct Oddity {
  std::string file;
  PartsOfStep parts = two_plain_steps;
  std::int64_t steps = 2;
  std::string note = {};     ///< a note that holds this
  std::string largest = {};  ///< what is said of the largest part begins so
};

const std::vector<Oddity> known_oddities = {
    {.file = "plain"},
    {.file = "infinite_bandwidth"},
    {.file = "paths_of_windows",
     .note = "not read, because other events show their time: python_function (1 event, 90"},
    {.file = "quotes_in_names", .note = "left out: 1 event in text that is not JSON"},
    {.file = "control_characters"},
    {.file = "no_utf8"},
    {.file = "numbers_as_strings"},
    {.file = "large_numbers"},
    {.file = "endless_kernel", .note = "left out: 1 event a day apart from the others, or a day long"},
    {.file = "copy_at_zero", .note = "left out: 1 event at time 0"},
    {.file = "times_of_zero", .note = "left out: 2 events at time 0"},
    {.file = "relative_times", .note = "left out: 1 event at time 0"},
    {.file = "kernel_of_another_clock", .note = "left out: 1 event a day apart"},
    {.file = "negative_length", .note = "left out: 1 event of a negative length"},
    {.file = "other_runtime",
     .parts = {{"compute", 80}, {"idle-data", 6}, {"idle-kernel-gap", 1}, {"idle-launch", 13}}},
    {.file = "other_category", .note = "because stepgate does not know them: tpu_op (1 event, 50"},
    {.file = "own_all_reduce",
     .parts = {{"compute", 80},
               {"exposed-communication", 5},
               {"idle-unknown", 0.5},
               {"idle-kernel-gap", 2},
               {"idle-launch", 12.5}}},
    {.file = "late_operators",
     .parts = {{"compute", 40}, {"idle-host", 57}, {"idle-launch", 3}},
     .largest = "idle: host runs no operator: 57.0 % of the time; neither an operator nor a call ran"},
    {.file = "waits_for_a_peer",
     .parts = {{"compute", 44}, {"idle-event", 54}, {"idle-kernel-gap", 2}},
     .largest = "idle: waits for an event or a peer: 54.0 % of the time; the work was queued"},
    {.file = "steps_twice", .note = "2 step ranges that lie on another step count once"},
    {.file = "two_cycles", .steps = 4, .note = "2 recorded cycles"},
    {.file = "begins_and_ends"},
    {.file = "comma_at_the_end"},
    {.file = "before_kineto",
     .parts = {{"compute", 134.176}},
     .steps = 0,
     .note = "left out: 1 event in text that is not JSON"},
};

std::filesystem::path oddities_folder() {
  return std::filesystem::path(STEPGATE_GOLDEN_DIR).parent_path() / "diagnose" / "trace" / "oddities";
}

TEST(TraceOddities, AreReadAndTheStepsStayWhatTheyAre) {
  for (const Oddity& oddity : known_oddities) {
    SCOPED_TRACE(oddity.file);
    const TraceAccount account = account_of_trace(read_trace_file(oddities_folder() / (oddity.file + ".json")));
    PartsOfStep parts;
    for (const AccountPart& part : account.parts) {
      if (part.ns != 0) parts[part.part] = part.ns / 1e3;
    }
    EXPECT_EQ(parts, oddity.parts);
    EXPECT_EQ(account.steps, oddity.steps);
    EXPECT_TRUE(account.on_device);
    if (!oddity.note.empty()) {
      EXPECT_THAT(account.notes, Contains(HasSubstr(oddity.note)));
    }
    if (!oddity.largest.empty()) {
      EXPECT_THAT(account.largest, ::testing::StartsWith(oddity.largest));
    }
  }
}

TEST(TraceOddities, EachFileIsInTheTable) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(oddities_folder())) {
    if (entry.path().extension() == ".json") ++files;
  }
  EXPECT_EQ(files, known_oddities.size());
}

TEST(TraceOddities, WhatWasLeftOutIsCountedWithItsTime) {
  const TraceAccount account = account_of_trace(read_trace_file(oddities_folder() / "endless_kernel.json"));
  ASSERT_EQ(account.left_out.size(), 1u);
  EXPECT_EQ(account.left_out[0].events, 1);
  EXPECT_GT(account.left_out[0].ns, 1.7e18);
  EXPECT_EQ(account.span_ns, 200'000);
}

}  // namespace
}  // namespace stepgate
