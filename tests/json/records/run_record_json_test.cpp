#include "json/records/run_record_json.h"

#include <cmath>

#include "json/expect_error.h"
#include "json/sample_documents.h"

namespace stepgate {
namespace {

RunRecord round_trip(const RunRecord& record) { return run_record_from_text(to_text(record), "record.json"); }

TEST(RunRecordJson, KeepsEveryFieldOfATimedRecord) {
  const RunRecord before = sample_timed_record();
  const RunRecord after = round_trip(before);
  EXPECT_EQ(after.case_name, before.case_name);
  EXPECT_EQ(after.params, before.params);
  EXPECT_EQ(after.group, Group::timed);
  EXPECT_EQ(after.seed, before.seed);
  EXPECT_EQ(after.replicate, 4);
  EXPECT_EQ(after.steps, before.steps);
  EXPECT_EQ(after.fingerprint, before.fingerprint);
  ASSERT_TRUE(after.warmup);
  EXPECT_EQ(after.warmup->first_step_ns, 812345678);
  EXPECT_EQ(after.warmup->steps, 42);
  EXPECT_FALSE(after.warmup->steady);
  EXPECT_EQ(after.warmup->reasons, before.warmup->reasons);
  EXPECT_EQ(after.absent, before.absent);
  EXPECT_FALSE(after.counts);
  EXPECT_FALSE(after.memory);
  EXPECT_FALSE(after.numerics);
}

TEST(RunRecordJson, KeepsEveryFieldOfObservedWork) {
  const RunRecord record = sample_exact_record();
  const ObservedWork before = record.counts->observed.value();
  const ObservedWork after = round_trip(record).counts->observed.value();
  EXPECT_EQ(after.steps, 2);
  EXPECT_TRUE(after.by_shape);
  EXPECT_EQ(after.build_id, "00ff");
  EXPECT_EQ(after.not_lines, "no call stack");
  EXPECT_EQ(after.frames_from, FramesFrom::lines);
  EXPECT_EQ(after.places, before.places);
  ASSERT_EQ(after.sites.size(), 2u);
  const OperatorSite& site = after.sites[0];
  EXPECT_EQ(site.boundary, "backward");
  EXPECT_EQ(site.name, "aten::mm");
  EXPECT_EQ(site.parent, "aten::matmul");
  EXPECT_EQ(site.callers, (std::vector<std::string>{"aten::linear", "aten::matmul"}));
  EXPECT_EQ(site.place, 0u);
  EXPECT_TRUE(site.for_forward);
  EXPECT_EQ(site.inputs, before.sites[0].inputs);
  EXPECT_EQ(site.outputs, before.sites[0].outputs);
  EXPECT_EQ(site.arguments, before.sites[0].arguments);
  EXPECT_EQ((std::vector{site.calls, site.leaf_calls, site.flops, site.bytes, site.allocated_bytes, site.self_ns,
                         site.total_ns, site.misaligned_flops, site.copied_bytes}),
            (std::vector<std::int64_t>{9, 8, 7, 6, 5, 4, 3, 2, 1}));
  EXPECT_TRUE(site.has_formula);
  EXPECT_FALSE(after.sites[1].has_formula);
  EXPECT_FALSE(after.sites[1].place);
}

TEST(RunRecordJson, KeepsTheSamplesOfWindowsThatHaveThem) {
  RunRecord record;
  record.timed["e2e"] = {
      .clock = "google_benchmark", .windows = {{100, 0, 10, false, 40}, {120, 10, 10, false}}, .steps = {}};
  const auto windows = round_trip(record).timed.at("e2e").windows;
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_EQ(windows[0].samples, 40);
  EXPECT_FALSE(windows[1].samples);
}

TEST(RunRecordJson, KeepsEveryFieldOfAStep) {
  const TimedPass before = sample_timed_record().timed.at("e2e");
  const TimedPass after = round_trip(sample_timed_record()).timed.at("e2e");
  EXPECT_EQ(after.clock, before.clock);
  ASSERT_EQ(after.steps.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(after.steps[i].wall_ns, before.steps[i].wall_ns);
    EXPECT_EQ(after.steps[i].host_ns, before.steps[i].host_ns);
    EXPECT_EQ(after.steps[i].device_ns, before.steps[i].device_ns);
    EXPECT_EQ(after.steps[i].overlap_ns, before.steps[i].overlap_ns);
    EXPECT_EQ(after.steps[i].gap_ns, before.steps[i].gap_ns);
    EXPECT_EQ(after.steps[i].samples, before.steps[i].samples);
    EXPECT_EQ(after.steps[i].padded_tokens, before.steps[i].padded_tokens);
    EXPECT_EQ(after.steps[i].effective_tokens, before.steps[i].effective_tokens);
    EXPECT_EQ(after.steps[i].shape, before.steps[i].shape);
    EXPECT_EQ(after.steps[i].cold_shape, before.steps[i].cold_shape);
  }
}

TEST(RunRecordJson, KeepsWindowsAndEmptyPasses) {
  const RunRecord after = round_trip(sample_timed_record());
  ASSERT_EQ(after.timed.at("e2e").windows.size(), 2u);
  const Window& second = after.timed.at("e2e").windows[1];
  EXPECT_EQ(second.wall_ns, 145000000);
  EXPECT_EQ(second.first_step, 10);
  EXPECT_EQ(second.steps, 10);
  EXPECT_FALSE(second.cold_shape);
  EXPECT_TRUE(after.timed.at("e2e").windows[0].cold_shape);
  EXPECT_TRUE(after.timed.at("phase").windows.empty());
  EXPECT_TRUE(after.timed.at("phase").steps.empty());
}

TEST(RunRecordJson, KeepsBoundariesAndLossesThatALoopNames) {
  const RunRecord before = sample_gan_record();
  const RunRecord after = round_trip(before);
  EXPECT_EQ(after.boundaries, before.boundaries);
  EXPECT_EQ(after.boundaries.names()[2], "discriminator");
  const TimedPass& pass = after.timed.at("e2e");
  EXPECT_EQ(pass.steps[0].host_ns, before.timed.at("e2e").steps[0].host_ns);
  EXPECT_EQ(pass.steps[0].device_ns, before.timed.at("e2e").steps[0].device_ns);
  EXPECT_EQ(after.numerics->further_losses.at("discriminator")[0], 0.5);
  EXPECT_TRUE(std::isnan(after.numerics->further_losses.at("discriminator")[1]));
}

TEST(RunRecordJson, SaysNothingOfBoundariesThatEveryStepHas) {
  EXPECT_EQ(to_text(sample_timed_record()).find("\"boundaries\""), std::string::npos);
  EXPECT_EQ(to_text(sample_exact_record()).find("further_losses"), std::string::npos);
}

TEST(RunRecordJson, RefusesBoundariesThatCannotBe) {
  const auto with = [](const std::string& from, const std::string& to) {
    return replaced(to_text(sample_gan_record()), from, to);
  };
  const std::vector<std::pair<std::string, const char*>> table = {
      {with("\"h2d\", \"discriminator\"", "\"h2d\", \"Critic\""), "boundaries: boundary \"Critic\": a name has"},
      {with("\"h2d\", \"discriminator\"", "\"h2d\", \"h2d\""), "it is in the step already"},
      {with("\"h2d\", \"discriminator\"", "\"h2d\", \"critic\""), "the key \"critic\" is missing"},
      {with("\"discriminator\": [0.5", "\"forward\": [0.5"), "further_losses: unknown metric \"loss[forward]\""}};
  for (const auto& [text, message] : table) {
    expect_error([&] { run_record_from_text(text, "r.json"); }, ErrorKind::measure, {message});
  }
}

TEST(RunRecordJson, LeavesOutColumnsThatNoStepHas) {
  RunRecord record = sample_timed_record();
  for (StepSample& step : record.timed.at("e2e").steps) {
    step.device_ns.reset();
    step.overlap_ns.reset();
    step.gap_ns.reset();
  }
  const std::string text = to_text(record);
  for (const char* column : {"device_ns", "overlap_ns", "gap_ns"}) {
    EXPECT_EQ(text.find(column), std::string::npos) << column;
  }
  EXPECT_FALSE(run_record_from_text(text, "r.json").timed.at("e2e").steps[0].device_ns);
}

TEST(RunRecordJson, KeepsDeviceCallsAndDeviceWork) {
  RunRecord record = sample_exact_record();
  EXPECT_EQ(to_text(record).find("device_"), std::string::npos) << "a CPU's record has neither";
  record.counts->device_calls = {{"device_syncs_per_step", {{"forward", {{"cudaFree", 3}}}}},
                                 {"other", {{"h2d", {{"cudaGetDevice", 7}}}}}};
  record.device_work = {{.wall_ns = 70, .work_ns = 28, .records = 3, .steps = 10},
                        {.wall_ns = 90, .work_ns = 29, .records = 4, .steps = 10, .cold_shape = true}};
  record.steps.device_work = 20;
  const RunRecord after = round_trip(record);
  EXPECT_EQ(after.counts->device_calls, record.counts->device_calls);
  EXPECT_EQ(after.steps.device_work, 20);
  ASSERT_EQ(after.device_work.size(), 2U);
  EXPECT_EQ(after.device_work[0].wall_ns, 70);
  EXPECT_EQ(after.device_work[0].work_ns, 28);
  EXPECT_EQ(after.device_work[0].records, 3);
  EXPECT_EQ(after.device_work[0].steps, 10);
  EXPECT_FALSE(after.device_work[0].cold_shape);
  EXPECT_TRUE(after.device_work[1].cold_shape);
}

TEST(RunRecordJson, KeepsCheckpoints) {
  using Values = std::vector<std::int64_t>;
  const RunRecord timed = round_trip(sample_timed_record());
  ASSERT_TRUE(timed.checkpoint);
  EXPECT_EQ(timed.checkpoint->save_ns, (Values{9100, 8200}));
  EXPECT_EQ(timed.checkpoint->bytes, (Values{4096, 4096}));
  const RunRecord exact = round_trip(sample_exact_record());
  ASSERT_TRUE(exact.checkpoint);
  EXPECT_EQ(exact.checkpoint->bytes, Values{4096});
  EXPECT_EQ(exact.checkpoint->save_ns, Values{});
}

TEST(RunRecordJson, KeepsCountsAndMemory) {
  const RunRecord before = sample_exact_record();
  const RunRecord after = round_trip(before);
  EXPECT_FALSE(after.warmup);
  EXPECT_TRUE(after.timed.empty());
  ASSERT_TRUE(after.counts);
  EXPECT_EQ(after.counts->per_step, before.counts->per_step);
  EXPECT_EQ(after.counts->by_boundary, before.counts->by_boundary);
  EXPECT_EQ(after.counts->operators, before.counts->operators);
  EXPECT_EQ(after.counts->worker_operators, before.counts->worker_operators);
  ASSERT_TRUE(after.instructions);
  EXPECT_EQ(after.instructions->per_step, before.instructions->per_step);
  EXPECT_EQ(after.instructions->by_boundary, before.instructions->by_boundary);
  ASSERT_TRUE(after.memory);
  EXPECT_EQ(after.memory->series, before.memory->series);
  EXPECT_EQ(after.memory->absent, before.memory->absent);
  EXPECT_EQ(after.memory->peak_bytes, before.memory->peak_bytes);
  EXPECT_EQ(after.memory->peak_by_boundary, before.memory->peak_by_boundary);
  const ResourceRise& rise = after.memory->rises.at("descriptors");
  EXPECT_EQ(rise.by_boundary, before.memory->rises.at("descriptors").by_boundary);
  EXPECT_EQ(rise.kind, "deleted file");
  EXPECT_EQ(rise.example, "/tmp/x (deleted)");
}

TEST(RunRecordJson, KeepsAbsentMemoryAbsent) {
  RunRecord record = sample_exact_record();
  record.memory->series.erase("peak_reserved_bytes");
  record.memory->series.erase("host_peak_bytes");
  const RunRecord after = round_trip(record);
  EXPECT_FALSE(after.memory->series.contains("peak_reserved_bytes"));
  EXPECT_FALSE(after.memory->series.contains("host_peak_bytes"));
}

TEST(RunRecordJson, KeepsNonFiniteLosses) {
  const NumericTrace after = *round_trip(sample_exact_record()).numerics;
  EXPECT_EQ(after.loss[0], 4.174387269);
  EXPECT_EQ(after.loss[1], 0.1);
  EXPECT_TRUE(std::isnan(after.loss[2]));
  EXPECT_EQ(after.loss[3], INFINITY);
  EXPECT_EQ(after.loss[4], -INFINITY);
  EXPECT_EQ(after.grad_norm[0], 1e-300);
  EXPECT_TRUE(std::isnan(after.grad_norm[2]));
  EXPECT_EQ(after.loss_digest, "a1b2");
  EXPECT_EQ(after.parameter_digest, "c3d4");
  EXPECT_EQ(to_text(sample_exact_record()).find("null"), std::string::npos);
}

TEST(RunRecordJson, KeepsOperatorsWithoutADeterministicImplementation) {
  RunRecord record = sample_exact_record();
  EXPECT_EQ(to_text(record).find("nondeterministic_operators"), std::string::npos) << "as records of before";
  record.numerics->nondeterministic_operators = {"Flash Attention", "put_"};
  EXPECT_EQ(round_trip(record).numerics->nondeterministic_operators, record.numerics->nondeterministic_operators);
}

TEST(RunRecordJson, KeepsLossesAndKeptBatches) {
  const RunRecord before = sample_exact_record();
  EXPECT_EQ(round_trip(before).losses, before.losses);
  EXPECT_EQ(round_trip(before).kept_tensors, before.kept_tensors);
  EXPECT_EQ(to_text(sample_timed_record()).find("\"losses\""), std::string::npos);
}

TEST(RunRecordJson, KeepsEveryBitOfALoss) {
  RunRecord record = sample_exact_record();
  record.numerics->loss = {0x1.fffffffffffffp-3, 0x1.0000000000001p+0, 0x1p-1074, 123456789012345680.0, 1e22};
  EXPECT_EQ(round_trip(record).numerics->loss, record.numerics->loss);
}

TEST(RunRecordJson, KeepsWhatDeviceEventsCost) {
  RunRecord record = sample_timed_record();
  EXPECT_EQ(round_trip(record).warmup->event_cost, std::nullopt);
  record.warmup->event_cost = {.record_ns = 900, .records_per_step = 8, .marked_window_every = 7};
  EXPECT_EQ(round_trip(record).warmup->event_cost, record.warmup->event_cost);
}

TEST(RunRecordJson, PassesOverKeysOfANewerMinorVersion) {
  const std::string newer = replaced(replaced(to_text(sample_timed_record()), "\"minor\": 3", "\"minor\": 9"),
                                     "\"seed\"", "\"new\": 1, \"seed\"");
  EXPECT_EQ(run_record_from_text(newer, "r.json").replicate, 4);
}

TEST(RunRecordJson, ACounterIsAKeyOfTheMemoryPass) {
  const std::string text = to_text(sample_exact_record());
  EXPECT_NE(text.find("\"peak_reserved_bytes\": 4194304"), std::string::npos) << "one value of the whole process";
  EXPECT_NE(text.find("\"minor_faults_per_step\": [12, 0]"), std::string::npos) << text;
}

TEST(RunRecordJson, ReadsARecordOfVersion1_0) {
  RunRecord record = sample_exact_record();
  record.memory->series.erase("minor_faults_per_step");
  record.memory->absent.clear();
  const std::string old = replaced(to_text(record), "\"minor\": 3", "\"minor\": 0");
  EXPECT_EQ(run_record_from_text(old, "r.json").memory->series, record.memory->series);
  expect_error([&] { run_record_from_text(replaced(old, "resident_bytes", "resident_byte"), "r.json"); },
               ErrorKind::measure, {"the key \"resident_bytes\" is missing"});
}

TEST(RunRecordJson, KeepsDeclaredFlopsAndWhenAWindowWasQueued) {
  RunRecord record = sample_timed_record();
  EXPECT_FALSE(round_trip(record).timed.at("e2e").steps[0].flops);
  record.timed["e2e"].steps[1].flops = 123'456'789'012'345;
  record.timed["e2e"].windows = {{.wall_ns = 100, .first_step = 0, .steps = 2, .queued_ns = 60},
                                 {.wall_ns = 100, .first_step = 2, .steps = 2, .queued_ns = 60}};
  record.timed["e2e"].windows[0].begin_us = 9'007'199'254'740;
  record.timed["e2e"].windows[0].gpu_clock_khz = 1'965'000;
  record.timed["e2e"].windows[1].begin_us = 7;
  const TimedPass after = round_trip(record).timed.at("e2e");
  EXPECT_FALSE(after.steps[0].flops);
  EXPECT_EQ(after.steps[1].flops, 123'456'789'012'345);
  EXPECT_EQ(after.windows[0].queued_ns, 60);
  EXPECT_EQ(after.windows[0].begin_us, 9'007'199'254'740);
  EXPECT_EQ(after.windows[0].gpu_clock_khz, 1'965'000);
  EXPECT_FALSE(after.windows[1].gpu_clock_khz) << "none was read in it";
}

}  // namespace
}  // namespace stepgate
