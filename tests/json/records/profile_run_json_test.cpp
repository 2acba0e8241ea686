// The profile of a run record.
#include "core/repeated_place.h"
#include "json/expect_error.h"
#include "json/records/run_record_json.h"
#include "json/sample_documents.h"

namespace stepgate {
namespace {

RunRecord profile_round_trip(const RunRecord& record) { return run_record_from_text(to_text(record), "r.json"); }

TEST(ProfileRunJson, KeepsEveryPart) {
  const ProfileRun before = *sample_profile_record().profile;
  const RunRecord record = profile_round_trip(sample_profile_record());
  EXPECT_EQ(record.group, Group::profile);
  EXPECT_EQ(record.steps.profile, 25);
  ASSERT_TRUE(record.profile);
  const ProfileRun& after = *record.profile;
  ASSERT_EQ(after.blocks.size(), 2u);
  EXPECT_EQ(after.blocks[1].variant, "delayed-loader");
  EXPECT_EQ(after.blocks[1].round, 1);
  EXPECT_EQ(after.blocks[1].delay_ns, 50);
  EXPECT_EQ(after.blocks[1].wall_ns, 2000);
  EXPECT_EQ(after.blocks[1].steps, 20);
  ASSERT_TRUE(after.observed);
  EXPECT_EQ(after.observed->sites.at(0).inputs, before.observed->sites.at(0).inputs);
  EXPECT_EQ(after.observed_wall_ns, 220);
  EXPECT_EQ(after.unobserved_wall_ns, 200);
  EXPECT_EQ(after.peaks.flops_per_s, before.peaks.flops_per_s);
  EXPECT_EQ(after.peaks.bandwidth.at(0).working_set_bytes, 8192);
  EXPECT_EQ(after.peaks.bandwidth.at(0).bytes_per_s, 9e10);
  EXPECT_EQ(after.peaks.floor_ns, 360);
  EXPECT_EQ(after.replays.at(0).form, "padded to 16");
  EXPECT_EQ(after.replays.at(0).ns, 1234);
  EXPECT_EQ(after.products.at(0).written_ns, 5000);
  EXPECT_EQ(after.products.at(0).product_ns, 300);
  ASSERT_EQ(after.repeats.size(), 3u);
  EXPECT_EQ(after.repeats[0].variant, unchanged_calls);
  EXPECT_EQ(after.repeats[2].variant, "char_lm.cpp:95");
  EXPECT_EQ(after.repeats[2].wall_ns, 1300);
  EXPECT_EQ(after.repeats[2].steps, 10);
  EXPECT_EQ(after.repeated_calls, before.repeated_calls);
  EXPECT_EQ(after.repeating_ns, 133.5);
  ASSERT_EQ(after.device_times.size(), 1u);
  EXPECT_EQ(after.device_times[0].boundary, "forward");
  EXPECT_EQ(after.device_times[0].name, "aten::mm");
  EXPECT_EQ(after.device_times[0].sizes, before.device_times[0].sizes);
  EXPECT_EQ(after.device_times[0].calls, 10);
  EXPECT_EQ(after.device_times[0].self_ns, 4321);
  EXPECT_EQ(after.device_times[0].total_ns, 4322);
  EXPECT_EQ(after.absent, before.absent);
  EXPECT_EQ(after.trace, before.trace);
}

TEST(ProfileRunJson, WithoutRepeatedCallsHasNoKeysForThem) {
  RunRecord record = sample_profile_record();
  const std::string with = to_text(record);
  record.profile->repeats.clear();
  record.profile->repeated_calls.clear();
  record.profile->repeating_ns = 0;
  const std::string without = to_text(record);
  for (const char* key : {"\"repeats\"", "\"repeated_calls\"", "\"repeating_ns\""}) {
    EXPECT_NE(with.find(key), std::string::npos);
    EXPECT_EQ(without.find(key), std::string::npos);
  }
  EXPECT_TRUE(run_record_from_text(without, "r.json").profile->repeats.empty());
  EXPECT_TRUE(run_record_from_text(without, "r.json").profile->repeated_calls.empty());
}

TEST(ProfileRunJson, RepeatedCallsAreCounts) {
  RunRecord record = sample_profile_record();
  record.profile->repeated_calls["char_lm.cpp:95"] = 777;
  const auto read = [&](const std::string& value) {
    return [=, text = to_text(record)] { run_record_from_text(replaced(text, "777", value), "r.json"); };
  };
  expect_error(read("-777"), ErrorKind::measure, {"profile.repeated_calls", "char_lm.cpp:95"});
  expect_error(read("7.5"), ErrorKind::measure, {"profile.repeated_calls", "char_lm.cpp:95"});
  expect_error([&] { run_record_from_text(replaced(to_text(sample_profile_record()), "133.5", "-1"), "r.json"); },
               ErrorKind::measure, {"profile.repeating_ns"});
  record.profile->repeats[1].steps = 888;
  expect_error([&] { run_record_from_text(replaced(to_text(record), "888", "-8"), "r.json"); }, ErrorKind::measure,
               {"profile.repeats[1].steps"});
}

TEST(ProfileRunJson, DeviceTimesAreOfSomeCallsAndNotNegative) {
  RunRecord record = sample_profile_record();
  const std::string text = to_text(record);
  const auto read = [&](const std::string& what, const std::string& instead) {
    return [=] { run_record_from_text(replaced(text, what, instead), "r.json"); };
  };
  expect_error(read("4321", "-1"), ErrorKind::measure, {"profile.device_times[0].self_ns"});
  record.profile->device_times[0].calls = 0;
  expect_error([&] { run_record_from_text(to_text(record), "r.json"); }, ErrorKind::measure,
               {"profile.device_times[0].calls", "a number from 1"});
  record.profile->device_times.clear();
  EXPECT_EQ(to_text(record).find("device_times"), std::string::npos);
}

TEST(ProfileRunJson, AReplayNamesAnObservedSite) {
  RunRecord record = sample_profile_record();
  record.profile->trace = "../../elsewhere.json";
  expect_error([&] { run_record_from_text(to_text(record), "r.json"); }, ErrorKind::measure,
               {"profile.trace", "the name of a file beside the record"});
  record.profile->trace = "";
  record.profile->replays.at(0).site = 1;
  expect_error([&] { profile_round_trip(record); }, ErrorKind::measure,
               {"profile.replays[0].site", "a position in observed.sites"});
  record.profile->replays.clear();
  record.profile->products.at(0).site = 1;
  expect_error([&] { profile_round_trip(record); }, ErrorKind::measure,
               {"profile.products[0].site", "a position in observed.sites"});
}

}  // namespace
}  // namespace stepgate
