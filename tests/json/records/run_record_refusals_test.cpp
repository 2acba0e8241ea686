#include "json/expect_error.h"
#include "json/records/run_record_json.h"
#include "json/sample_documents.h"

namespace stepgate {
namespace {

using ::testing::HasSubstr;

TEST(RunRecordJson, RefusesACounterThatTheCatalogueDoesNotKnow) {
  const std::string text = to_text(sample_exact_record());
  const std::string misspelt = replaced(text, "minor_faults_per_step", "minor_fault_per_step");
  expect_error([&] { run_record_from_text(misspelt, "r.json"); }, ErrorKind::measure,
               {"r.json: memory.minor_fault_per_step: unknown counter", "did you mean \"minor_faults_per_step\"?"});
  const std::string newer = replaced(misspelt, "\"minor\": 3", "\"minor\": 4");
  EXPECT_FALSE(run_record_from_text(newer, "r.json").memory->series.contains("minor_fault_per_step"));
  RunRecord record = sample_exact_record();
  record.memory->series["unheard_of"] = {1};
  expect_error([&] { to_text(record); }, ErrorKind::measure, {"recorded \"unheard_of\", which no metric uses"});
}

TEST(RunRecordJson, RefusesNegativeCountsAndBytes) {
  const auto refusal = [](auto change) {
    RunRecord record = sample_exact_record();
    change(record);
    const auto error = error_of([&] { run_record_from_text(to_text(record), "record.json"); });
    return error ? std::string(error->what()) : "taken";
  };
  const char* negative = "expected a count, 0 or more, found -7";
  EXPECT_THAT(refusal([](RunRecord& r) { r.counts->per_step.begin()->second.front() = -7; }), HasSubstr(negative));
  EXPECT_THAT(refusal([](RunRecord& r) { r.counts->by_boundary.begin()->second.begin()->second = -7; }),
              HasSubstr(negative));
  EXPECT_THAT(refusal([](RunRecord& r) { r.memory->peak_bytes.front() = -7; }), HasSubstr(negative));
  EXPECT_THAT(refusal([](RunRecord& r) { r.memory->series["resident_bytes"].front() = -7; }), HasSubstr(negative));
  EXPECT_THAT(refusal([](RunRecord& r) { r.memory->series["peak_allocated_bytes"] = {-7}; }), HasSubstr(negative));
  EXPECT_EQ(refusal([](RunRecord& r) {
              r.memory->series["host_heap_bytes"] = {-7, -7};
            }),
            "taken")
      << "a difference of two readings";
  EXPECT_THAT(refusal([](RunRecord& r) { r.counts->per_step.begin()->second.front() = INT64_MAX; }),
              HasSubstr("expected an integer from -2^53 to 2^53"));
}

struct BadRecord {
  const char* from;
  const char* to;
  std::vector<std::string> message;
};

TEST(RunRecordJson, NamesFileAndKeyOfWhatIsWrong) {
  const std::vector<BadRecord> table = {
      {"\"group\": \"timed\"",
       "\"group\": \"slow\"",
       {"group: expected one of timed, exact, reference, found \"slow\""}},
      {"\"replicate\": 4", "\"replicate\": 4.5", {"replicate: expected an integer, found 4.5"}},
      {"\"seed\": 18446744073709551615", "\"seed\": -1", {"seed: expected an integer, 0 or more, found -1"}},
      {"\"seed\"", "\"sed\"", {"the key \"seed\" is missing (is \"sed\" meant to be it?)"}},
      {"\"samples\": [32, 32]",
       "\"samples\": [32]",
       {"timed.e2e.steps.samples: expected 2 entries as in wall_ns, found 1"}},
      {"\"shape\": [\"fed", "\"shape\": [\"xyz", {"timed.e2e.steps.shape[0]: expected up to 16 hexadecimal digits"}},
      {"\"gap_ns\": [null, 99]",
       "\"gap_ns\": [null, \"99\"]",
       {"timed.e2e.steps.gap_ns[1]: expected an integer, found \"99\""}},
      {"[20, null]", "[20, 5]", {"timed.e2e.steps.device_ns.h2d: a step must have a time at every boundary"}},
      {"\"steady\": false", "\"steady\": 0", {"warmup.steady: expected true or false, found 0"}},
      {"\"name\": \"stepgate.run_record\"",
       "\"name\": \"stepgate.baseline\"",
       {"schema.name: expected \"stepgate.run_record\""}},
  };
  for (const BadRecord& bad : table) {
    SCOPED_TRACE(bad.to);
    std::vector<std::string> parts = bad.message;
    parts.push_back("out/record.json: ");
    const std::string text = replaced(to_text(sample_timed_record()), bad.from, bad.to);
    expect_error([&] { run_record_from_text(text, "out/record.json"); }, ErrorKind::measure, parts);
  }
}

TEST(RunRecordRefusals, NameThePositionInObservedWork) {
  const std::vector<BadRecord> table = {
      {"\"place\": 0", "\"place\": 1", {"counts.observed.sites[0].place: expected a position in places, found 1"}},
      {"float32[8,64]/[1,8]",
       "float32[8,64]/[1]",
       {"counts.observed.sites[0].inputs[0]: expected a tensor such as \"float32[8,64]/[1,8] aten::t\""}},
      {"int64[]", "int64[,]", {"counts.observed.sites[0].inputs[1]: expected a tensor"}},
      {"\"1f\"", "\"1g\"", {"counts.observed.places[0].offsets[0]: expected a hexadecimal address"}},
      {"\"frames_from\": \"lines\"",
       "\"frames_from\": \"rows\"",
       {"counts.observed.frames_from: expected one of nothing, symbols, lines"}},
  };
  for (const BadRecord& bad : table) {
    SCOPED_TRACE(bad.to);
    const std::string text = replaced(to_text(sample_exact_record()), bad.from, bad.to);
    expect_error([&] { run_record_from_text(text, "out/record.json"); }, ErrorKind::measure, bad.message);
  }
}

}  // namespace
}  // namespace stepgate
