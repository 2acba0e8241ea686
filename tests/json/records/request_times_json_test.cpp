#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "json/expect_error.h"
#include "json/records/run_record_json.h"
#include "json/sample_documents.h"

namespace stepgate {
namespace {

RunRecord read_again(const RunRecord& record) { return run_record_from_text(to_text(record), "record.json"); }

TEST(RequestTimesJson, KeepsEveryField) {
  const RunRecord before = sample_inference_record();
  const RunRecord after = read_again(before);
  EXPECT_EQ(after.requests, before.requests);
  EXPECT_EQ(after.open_requests, before.open_requests);
  EXPECT_EQ(after.inference, before.inference);
  EXPECT_EQ(after.steps, before.steps);
  EXPECT_EQ(after.boundaries, before.boundaries);
}

TEST(RequestTimesJson, LeavesOutWhatThereIsNot) {
  RunRecord record = sample_inference_record();
  record.requests = ClosedLoop{.clock = "virtual", .wall_ns = 5, .latency_ns = {5}};
  record.open_requests.reset();
  record.inference->training_modules.reset();
  const std::string text = to_text(record);
  for (const char* key : {"\"cold\"", "\"tokens\"", "\"open_requests\": {", "training_modules"}) {
    EXPECT_EQ(text.find(key), std::string::npos) << key;
  }
  EXPECT_EQ(read_again(record).requests, record.requests);
  EXPECT_EQ(read_again(record).inference, record.inference);
}

/// An older program kept the longest alone: all together are at least as late.
TEST(RequestTimesJson, ReadsARecordWithoutTheLatenessOfAllArrivals) {
  std::string text = to_text(sample_inference_record());
  const std::size_t from = text.find("\"generator_late_total_ns\"");
  ASSERT_NE(from, std::string::npos);
  text.erase(from, text.find('"', from + 1 + std::string("generator_late_total_ns\"").size()) - from);
  EXPECT_EQ(run_record_from_text(text, "record.json").open_requests->generator_late_total_ns, 850);
}

TEST(RequestTimesJson, ALatenessBelowZeroIsRefused) {
  const std::string text = to_text(sample_inference_record());
  for (const std::string key : {"\"generator_late_ns\": ", "\"generator_late_total_ns\": "})
    expect_error([&] { run_record_from_text(replaced(text, key, key + "-"), "record.json"); }, ErrorKind::measure,
                 {"record.json", "generator_late"});
}

TEST(RequestTimesJson, TellsModulesThatAreUnknownFromNone) {
  RunRecord record = sample_inference_record();
  record.inference->training_modules.emplace().clear();
  EXPECT_TRUE(read_again(record).inference->training_modules);
}

TEST(RequestTimesJson, ARecordOfTrainingHasNothingOfIt) {
  const RunRecord training = read_again(sample_timed_record());
  EXPECT_FALSE(training.requests);
  EXPECT_FALSE(training.open_requests);
  EXPECT_FALSE(training.inference);
  EXPECT_EQ(to_text(sample_timed_record()).find("requests"), std::string::npos);
}

TEST(RequestTimesJson, RefusesTimesThatDoNotBelongTogether) {
  const auto expect = [](const RunRecord& record, const char* message) {
    expect_error([&] { read_again(record); }, ErrorKind::measure, {"record.json: ", message});
  };
  RunRecord fewer = sample_inference_record();
  fewer.requests->boundary_ns["infer"].pop_back();
  expect(fewer, "requests: boundary_ns has not one time for each request");
  RunRecord beyond = sample_inference_record();
  beyond.requests->cold = {3};
  expect(beyond, "requests: cold names a request that is not in latency_ns");
  RunRecord uneven = sample_inference_record();
  uneven.open_requests->latency_ns.pop_back();
  expect(uneven, "open_requests: arrival_ns and latency_ns differ in their number");
  RunRecord resting = sample_inference_record();
  resting.open_requests->rate_per_s = 0;
  expect(resting, "open_requests.rate_per_s: expected a rate above 0");
  RunRecord without_capacity = sample_inference_record();
  without_capacity.open_requests->capacity_per_s = 0;
  expect(without_capacity, "open_requests.capacity_per_s: expected a rate above 0");
}

}  // namespace
}  // namespace stepgate
