#include "json/records/measurement_json.h"

#include <limits>

#include "json/expect_error.h"
#include "json/sample_documents.h"

namespace stepgate {
namespace {

TEST(MeasurementJson, KeepsEveryField) {
  const Measurement before = sample_measurement();
  const Measurement after = measurement_from_text(to_text(before), "measurement.json");
  EXPECT_EQ(after.case_name, before.case_name);
  EXPECT_EQ(after.runner_class, before.runner_class);
  EXPECT_EQ(after.utc, before.utc);
  EXPECT_EQ(after.unix_s, before.unix_s);
  EXPECT_EQ(after.commit, before.commit);
  EXPECT_EQ(after.program, before.program);
  EXPECT_EQ(after.plan, before.plan);
  EXPECT_EQ(after.host, before.host);
  EXPECT_EQ(after.replicates.size(), 3u);
  EXPECT_EQ(after.program_digest, "") << "a file of an older version";
}

TEST(MeasurementJson, KeepsTheDigestOfTheProgram) {
  Measurement before = sample_measurement();
  before.program_digest = "cbf29ce484222325";
  EXPECT_EQ(measurement_from_text(to_text(before), "measurement.json").program_digest, "cbf29ce484222325");
}

TEST(MeasurementJson, KeepsEveryFieldOfAReplicate) {
  const Measurement before = sample_measurement();
  const Measurement after = measurement_from_text(to_text(before), "measurement.json");
  for (std::size_t i = 0; i < before.replicates.size(); ++i) {
    const Replicate& a = after.replicates[i];
    const Replicate& b = before.replicates[i];
    EXPECT_EQ(a.group, b.group);
    EXPECT_EQ(a.index, b.index);
    EXPECT_EQ(a.attempt, b.attempt);
    EXPECT_EQ(a.command, b.command);
    EXPECT_EQ(a.environment, b.environment);
    EXPECT_EQ(a.evidence.values, b.evidence.values);
    EXPECT_EQ(a.evidence.absent, b.evidence.absent);
    EXPECT_EQ(a.taint_reasons, b.taint_reasons);
    EXPECT_EQ(a.record.has_value(), b.record.has_value());
    EXPECT_EQ(a.failure.has_value(), b.failure.has_value());
  }
  EXPECT_EQ(after.replicates[1].record->timed.at("e2e").steps.size(), 2u);
  EXPECT_EQ(after.replicates[2].failure->kind, FailureKind::timed_out);
  EXPECT_EQ(after.replicates[2].failure->message, "no record after 300 s");
  EXPECT_EQ(after.replicates[2].failure->output_tail, "line 1\nline 2\n");
}

TEST(MeasurementJson, WritingAgainGivesTheSameBytes) {
  const std::string text = to_text(sample_measurement());
  EXPECT_EQ(to_text(measurement_from_text(text, "m.json")), text);
}

TEST(MeasurementJson, KeepsAPlanWithoutSteps) {
  Measurement measurement = sample_measurement();
  measurement.plan.steps.clear();
  EXPECT_TRUE(measurement_from_text(to_text(measurement), "m.json").plan.steps.empty());
}

TEST(MeasurementJson, SurvivesOutputThatIsNotUtf8) {
  Measurement measurement = sample_measurement();
  measurement.replicates[2].failure->output_tail = std::string("bad \xff\xfe\0 bytes", 13);
  const Measurement after = measurement_from_text(to_text(measurement), "m.json");
  EXPECT_THAT(after.replicates[2].failure->output_tail, ::testing::StartsWith("bad \xef\xbf\xbd"));
}

TEST(MeasurementJson, RefusesToWriteNonFiniteEvidence) {
  Measurement measurement = sample_measurement();
  measurement.replicates[1].evidence.values[EvidenceKey::steal_fraction] = std::numeric_limits<double>::quiet_NaN();
  expect_error(
      [&] { to_text(measurement); }, ErrorKind::measure,
      {"measurement of language/char_lm/tiny", "replicates[1].evidence.values.steal_fraction", "not a finite"});
}

TEST(MeasurementJson, IgnoresEvidenceThatOnlyANewerStepgateKnows) {
  const Measurement before = sample_measurement();
  const std::string text = replaced(to_text(before), "\"wall_s\": 2.5", "\"page_cache_misses\": 7,\n\"wall_s\": 2.5");
  const Measurement after = measurement_from_text(text, "m.json");
  EXPECT_EQ(after.replicates[0].evidence.values, before.replicates[0].evidence.values);
}

TEST(MeasurementJson, PassesOverACounterOfANewerMinorVersion) {
  Measurement measurement = sample_measurement();
  measurement.replicates.front().failure.reset();
  measurement.replicates.front().record = sample_exact_record();
  const std::string text = replaced(to_text(measurement), "minor_faults_per_step", "open_windows_per_step");
  expect_error([&] { measurement_from_text(text, "m.json"); }, ErrorKind::measure,
               {"memory.open_windows_per_step: unknown counter"});
  const Measurement newer = measurement_from_text(replaced(text, "\"minor\": 4", "\"minor\": 5"), "m.json");
  EXPECT_FALSE(newer.replicates.front().record->memory->series.contains("open_windows_per_step"));
}

TEST(MeasurementJson, NeedsARecordOrAFailure) {
  Measurement measurement = sample_measurement();
  measurement.replicates[2].failure.reset();
  expect_error([&] { measurement_from_text(to_text(measurement), "m.json"); }, ErrorKind::measure,
               {"m.json: replicates[2]: a replicate needs \"record\" or \"failure\""});
}

TEST(MeasurementJson, NamesADeviceThatItDoesNotKnow) {
  const std::string text = replaced(to_text(sample_measurement()), "\"device\": \"cpu\"", "\"device\": \"tpu\"");
  expect_error([&] { measurement_from_text(text, "m.json"); }, ErrorKind::measure,
               {"m.json: plan.device: expected one of cpu, cuda", "found \"tpu\""});
}

TEST(MeasurementJson, NamesTheKeyInsideAnEmbeddedRecord) {
  const std::string text = replaced(to_text(sample_measurement()), "\"peak_bytes\": [2097152, 2097153]",
                                    "\"peak_bytes\": [2097152, \"12\"]");
  expect_error([&] { measurement_from_text(text, "m.json"); }, ErrorKind::measure,
               {"m.json: replicates[0].record.memory.peak_bytes[1]: expected an integer, found \"12\""});
}

}  // namespace
}  // namespace stepgate
