#include "measure/ranks/rank_merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

StepSample step(std::int64_t wall_ns, std::int64_t forward_ns, std::int64_t wait_ns) {
  StepSample sample;
  sample.wall_ns = wall_ns;
  sample.host_ns[static_cast<std::size_t>(Boundary::forward)] = forward_ns;
  sample.samples = 4;
  sample.padded_tokens = 64;
  sample.effective_tokens = wall_ns;
  sample.shape = 7;
  sample.allreduce_ns = 100;
  sample.allreduce_wait_ns = wait_ns;
  return sample;
}

RunRecord timed_rank(std::vector<StepSample> steps, std::int64_t window_ns) {
  RunRecord record;
  record.case_name = "a/b/c";
  record.fingerprint = {{"torch", "2.11"}, {"gpu_pci_bus_id", std::to_string(window_ns)}};
  record.warmup = Warmup{.first_step_ns = window_ns, .steps = 21, .steady = true, .reasons = {}};
  record.logging = {{.on = true, .wall_ns = window_ns, .steps = 2}};
  TimedPass& pass = record.timed["e2e"];
  pass.windows = {{.wall_ns = window_ns, .first_step = 0, .steps = std::ssize(steps), .cold_shape = false}};
  pass.windows[0].begin_us = 1000 - window_ns;
  pass.steps = std::move(steps);
  return record;
}

RunRecord exact_rank() {
  RunRecord record;
  record.group = Group::exact;
  WorkCounts counts;
  counts.per_step = {{"operators_per_step", {10, 12}},
                     {"shapes_seen", {1, 2}},
                     {"samples_per_step", {4, 4}},
                     {"padded_tokens_per_step", {64, 32}},
                     {"h2d_bytes_per_step", {1024, 512}}};
  counts.by_boundary = {{"operators_per_step", {{"forward", 22}}}};
  counts.operators = {{"forward", {{"aten::mm", 22}}}, {"logging", {{"aten::add_", 1}}}};
  record.counts = counts;
  MemoryProfile memory;
  memory.series["resident_bytes"] = {100, 200};
  memory.peak_bytes = {300, 400};
  memory.peak_by_boundary = {{"forward", 400}};
  memory.series["peak_allocated_bytes"] = {400};
  memory.by_boundary = {{"forward", {.peak_allocated_bytes = 400, .allocated_bytes = 200}}};
  memory.ledger = MemoryLedger{.peak_bytes = 400, .step = 1, .boundary = "forward", .bytes = {{"parameters", 400}}};
  record.memory = memory;
  record.numerics = NumericTrace{.loss = {2, 4}, .grad_norm = {1, 1}, .loss_digest = "aa", .parameter_digest = "pp"};
  return record;
}

std::string complaint(const std::vector<RunRecord>& ranks) {
  try {
    merged_ranks(ranks);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::measure);
    return error.what();
  }
  return "nothing was thrown";
}

TEST(RankMerge, TakesTheSlowestRankOfEachStep) {
  const RunRecord merged = merged_ranks(
      {timed_rank({step(50, 5, 20), step(70, 7, 1)}, 120), timed_rank({step(60, 6, 2), step(65, 8, 30)}, 125)});
  const TimedPass& pass = merged.timed.at("e2e");
  EXPECT_EQ(pass.windows[0].wall_ns, 125);
  EXPECT_EQ(pass.windows[0].begin_us, 875) << "of the rank that took longest";
  EXPECT_EQ(pass.windows[0].steps, 2);
  ASSERT_EQ(pass.steps.size(), 2U);
  EXPECT_EQ(pass.steps[0].wall_ns, 60);
  EXPECT_EQ(pass.steps[0].host_ns[static_cast<std::size_t>(Boundary::forward)], 6);
  EXPECT_EQ(pass.steps[0].allreduce_wait_ns, 2);
  EXPECT_EQ(pass.steps[1].wall_ns, 70);
  EXPECT_EQ(pass.steps[1].allreduce_wait_ns, 1);
  EXPECT_EQ(merged.warmup->first_step_ns, 125);
  EXPECT_EQ(merged.logging[0].wall_ns, 125);
}

TEST(RankMerge, CountsTheGlobalBatch) {
  const RunRecord merged = merged_ranks({timed_rank({step(50, 5, 20)}, 60), timed_rank({step(60, 6, 2)}, 60)});
  const StepSample& sample = merged.timed.at("e2e").steps[0];
  EXPECT_EQ(sample.samples, 8);
  EXPECT_EQ(sample.padded_tokens, 128);
  EXPECT_EQ(sample.effective_tokens, 110);
  EXPECT_EQ(merged.fingerprint.at("ranks"), "2");
}

TEST(RankMerge, TagsWhatIsColdOnAnyRank) {
  RunRecord other = timed_rank({step(40, 6, 2)}, 50);
  other.timed.at("e2e").steps[0].cold_shape = true;
  other.timed.at("e2e").windows[0].cold_shape = true;
  const RunRecord merged = merged_ranks({timed_rank({step(50, 5, 20)}, 60), other});
  EXPECT_TRUE(merged.timed.at("e2e").steps[0].cold_shape);
  EXPECT_TRUE(merged.timed.at("e2e").windows[0].cold_shape);
  EXPECT_EQ(merged.timed.at("e2e").steps[0].wall_ns, 50);
}

TEST(RankMerge, IsSteadyOnlyWhereAllRanksAre) {
  RunRecord unsteady = timed_rank({step(40, 6, 2)}, 50);
  unsteady.warmup->steady = false;
  unsteady.warmup->reasons = {"still getting faster"};
  const RunRecord merged = merged_ranks({timed_rank({step(50, 5, 20)}, 60), unsteady});
  EXPECT_FALSE(merged.warmup->steady);
  EXPECT_THAT(merged.warmup->reasons, ElementsAre("rank 1: still getting faster"));
}

TEST(RankMerge, TakesEachCopyFromTheRankThatWasSlowestPerByte) {
  RunRecord one = timed_rank({step(50, 5, 20)}, 60);
  one.h2d = CopyTrials{.clock = "steady_clock",
                       .simulated = true,
                       .series = {{.layout = CopyLayout::batch, .bytes = 100, .tensors = 2, .trial_ns = {10, 10}},
                                  {.layout = CopyLayout::single, .bytes = 100, .tensors = 1, .trial_ns = {9, 9}}}};
  RunRecord other = one;
  other.h2d->series[0] = {.layout = CopyLayout::batch, .bytes = 300, .tensors = 2, .trial_ns = {20, 20}};
  other.h2d->series[1].trial_ns = {11, 8};
  const RunRecord merged = merged_ranks({one, other});
  EXPECT_EQ(merged.h2d->series[0].bytes, 100);  // 5 bytes/ns, the other 7.5
  EXPECT_THAT(merged.h2d->series[1].trial_ns, ElementsAre(11, 8));
}

TEST(RankMerge, SumsWhatAllRanksDo) {
  const RunRecord merged = merged_ranks({exact_rank(), exact_rank(), exact_rank()});
  EXPECT_THAT(merged.counts->per_step.at("operators_per_step"), ElementsAre(30, 36));
  EXPECT_THAT(merged.counts->per_step.at("samples_per_step"), ElementsAre(12, 12));
  EXPECT_THAT(merged.counts->per_step.at("shapes_seen"), ElementsAre(1, 2));
  EXPECT_EQ(merged.counts->by_boundary.at("operators_per_step").at("forward"), 66);
  EXPECT_EQ(merged.counts->operators.at("forward").at("aten::mm"), 66);
}

TEST(RankMerge, SumsWhatAllRanksDoBesideTheStep) {
  std::vector<RunRecord> ranks = {exact_rank(), exact_rank()};
  ranks[0].background = {.cpu_ns = 5, .step_cpu_ns = 50, .steps = 2, .threads = {{"a", 5}}};
  EXPECT_FALSE(merged_ranks(ranks).background);
  ranks[1].background = {.cpu_ns = 7, .step_cpu_ns = 60, .steps = 2, .threads = {{"a", 3}, {"b", 4}}};
  const auto background = merged_ranks(ranks).background;
  ASSERT_TRUE(background);
  EXPECT_EQ(background->cpu_ns, 12);
  EXPECT_EQ(background->step_cpu_ns, 110);
  EXPECT_EQ(background->threads, (std::map<std::string, std::int64_t>{{"a", 8}, {"b", 4}}));
}

TEST(RankMerge, SumsDeviceCallsThatAllRanksCounted) {
  RunRecord rank = exact_rank();
  rank.counts->per_step["kernels_per_step"] = {5, 6};
  rank.counts->by_boundary["kernels_per_step"]["forward"] = 11;
  rank.counts->device_calls["kernels_per_step"]["forward"]["cudaLaunchKernel"] = 11;
  const RunRecord merged = merged_ranks({rank, rank});
  EXPECT_THAT(merged.counts->per_step.at("kernels_per_step"), ElementsAre(10, 12));
  EXPECT_EQ(merged.counts->device_calls.at("kernels_per_step").at("forward").at("cudaLaunchKernel"), 22);

  RunRecord without = exact_rank();
  without.absent["kernels_per_step"] = "another tool holds CUPTI";
  for (const auto& ranks : {std::vector{rank, without}, std::vector{without, rank}}) {
    const RunRecord one_refused = merged_ranks(ranks);
    EXPECT_FALSE(one_refused.counts->per_step.contains("kernels_per_step"));
    EXPECT_FALSE(one_refused.counts->device_calls.contains("kernels_per_step"));
    EXPECT_EQ(one_refused.absent.at("kernels_per_step"), "another tool holds CUPTI");
  }
}

TEST(RankMerge, TakesTheMeanOfTheDevicesWork) {
  RunRecord one = timed_rank({step(50, 5, 20)}, 60);
  one.device_work = {{.wall_ns = 100, .work_ns = 40, .records = 4, .steps = 1}};
  RunRecord other = timed_rank({step(50, 5, 20)}, 60);
  other.device_work = {{.wall_ns = 120, .work_ns = 80, .records = 6, .steps = 1, .cold_shape = true}};
  const RunRecord merged = merged_ranks({one, other});
  ASSERT_EQ(merged.device_work.size(), 1U);
  EXPECT_EQ(merged.device_work[0].wall_ns, 120);
  EXPECT_EQ(merged.device_work[0].work_ns, 60);
  EXPECT_EQ(merged.device_work[0].records, 10);
  EXPECT_TRUE(merged.device_work[0].cold_shape);
  other.device_work.clear();
  EXPECT_TRUE(merged_ranks({one, other}).device_work.empty()) << "one device could not be traced";
}

TEST(RankMerge, TheRanksFilesAreOneCheckpointAndTheSlowestSaveCounts) {
  RunRecord one = timed_rank({step(50, 5, 20)}, 60);
  one.checkpoint = CheckpointSaves{.save_ns = {90, 80}, .bytes = {4096, 4096}};
  RunRecord other = one;
  other.checkpoint = CheckpointSaves{.save_ns = {10, 85}, .bytes = {0, 64}};
  const RunRecord merged = merged_ranks({one, other});
  ASSERT_TRUE(merged.checkpoint);
  EXPECT_THAT(merged.checkpoint->save_ns, testing::ElementsAre(90, 85));
  EXPECT_THAT(merged.checkpoint->bytes, testing::ElementsAre(4096, 4160));
  other.checkpoint.reset();
  EXPECT_THAT(complaint({one, other}), HasSubstr("passes"));
}

TEST(RankMerge, RefusesUnequalOperatorsOnEqualBatches) {
  RunRecord other = exact_rank();
  other.counts->operators["forward"]["aten::mm"] = 23;
  EXPECT_EQ(complaint({exact_rank(), exact_rank(), other}),
            "rank 0 and rank 2 differ in their operators in forward, on batches of equal size");
  other.counts->per_step["padded_tokens_per_step"] = {64, 48};
  EXPECT_EQ(complaint({exact_rank(), other}), "nothing was thrown");
}

TEST(RankMerge, LetsOneRankAloneLog) {
  RunRecord silent = exact_rank();
  silent.counts->operators.erase("logging");
  const RunRecord merged = merged_ranks({exact_rank(), silent});
  EXPECT_EQ(merged.counts->operators.at("logging").at("aten::add_"), 1);
}

TEST(RankMerge, TakesMemoryFromTheRankWithTheMost) {
  RunRecord big = exact_rank();
  big.memory->peak_bytes = {500, 350};
  big.memory->series["peak_allocated_bytes"] = {500};
  big.memory->peak_by_boundary = {{"backward", 500}};
  big.memory->by_boundary["forward"].peak_allocated_bytes = 350;
  big.memory->ledger->bytes = {{"parameters", 500}};
  big.memory->series["host_peak_bytes"] = {9000};
  const RunRecord merged = merged_ranks({exact_rank(), big});
  EXPECT_THAT(merged.memory->peak_bytes, ElementsAre(500, 400));
  EXPECT_EQ(merged.memory->series.at("peak_allocated_bytes").front(), 500);
  EXPECT_EQ(merged.memory->peak_by_boundary.at("forward"), 400);
  EXPECT_EQ(merged.memory->peak_by_boundary.at("backward"), 500);
  EXPECT_EQ(merged.memory->by_boundary.at("forward").peak_allocated_bytes, 400);
  EXPECT_EQ(merged.memory->ledger->bytes.at("parameters"), 500);
  EXPECT_EQ(merged.memory->series.at("host_peak_bytes").front(), 9000);
}

TEST(RankMerge, JoinsCountersAsTheirRowSays) {
  RunRecord one = exact_rank();
  RunRecord other = exact_rank();
  one.memory->series["minor_faults_per_step"] = {5, 1};
  other.memory->series["minor_faults_per_step"] = {2, 9};
  other.memory->series["host_heap_bytes"] = {70, 80};
  const RunRecord merged = merged_ranks({one, other});
  EXPECT_THAT(merged.memory->series.at("minor_faults_per_step"), ElementsAre(5, 9));
  EXPECT_THAT(merged.memory->series.at("host_heap_bytes"), ElementsAre(70, 80)) << "one rank alone could read it";
}

TEST(RankMerge, AveragesLosses) {
  RunRecord other = exact_rank();
  other.numerics->loss = {4, 5};
  other.numerics->loss_digest = "bb";
  const RunRecord merged = merged_ranks({exact_rank(), other});
  EXPECT_THAT(merged.numerics->loss, ElementsAre(3, 4.5));
  EXPECT_EQ(merged.numerics->parameter_digest, "pp");
  EXPECT_NE(merged.numerics->loss_digest, merged_ranks({other, exact_rank()}).numerics->loss_digest);
}

TEST(RankMerge, AveragesFurtherLossesAndComparesBoundariesByName) {
  RunRecord one = exact_rank();
  one.boundaries.insert(2, "critic");
  one.numerics->further_losses["critic"] = {1, 2};
  one.counts->operators["critic"]["aten::mm"] = 3;
  RunRecord other = one;
  other.numerics->further_losses["critic"] = {3, 2};
  EXPECT_THAT(merged_ranks({one, other}).numerics->further_losses.at("critic"), ElementsAre(2, 2));
  one.numerics->nondeterministic_operators = {"put_"};
  other.numerics->nondeterministic_operators = {"Flash Attention", "put_"};
  EXPECT_THAT(merged_ranks({one, other}).numerics->nondeterministic_operators, ElementsAre("Flash Attention", "put_"));
  EXPECT_EQ(merged_ranks({one, other}).boundaries, one.boundaries);
  other.counts->operators["critic"]["aten::mm"] = 4;
  EXPECT_THAT(complaint({one, other}), HasSubstr("operators in critic"));
  other = one;
  other.numerics->further_losses.clear();
  EXPECT_THAT(complaint({one, other}), HasSubstr("losses"));
  other = exact_rank();
  EXPECT_THAT(complaint({one, other}), HasSubstr("boundaries"));
}

TEST(RankMerge, RefusesRanksThatDriftedApart) {
  RunRecord other = exact_rank();
  other.numerics->parameter_digest = "qq";
  EXPECT_THAT(complaint({exact_rank(), other}), HasSubstr("parameters after the last step"));
}

TEST(RankMerge, RefusesRanksThatDidNotDoTheSame) {
  const RunRecord rank = timed_rank({step(50, 5, 20)}, 60);
  RunRecord other = rank;
  other.fingerprint["torch"] = "2.12";
  EXPECT_THAT(complaint({rank, other}), HasSubstr("fact torch"));
  other = rank;
  other.timed["phase"] = {};
  EXPECT_THAT(complaint({rank, other}), HasSubstr("passes"));
  other = rank;
  other.warmup->steps = 31;
  EXPECT_THAT(complaint({rank, other}), HasSubstr("warm-up steps"));
  other = rank;
  other.timed.at("e2e").windows[0].steps = 2;
  EXPECT_THAT(complaint({rank, other}), HasSubstr("windows"));
  other = rank;
  other.params["width"] = "8";
  EXPECT_THAT(complaint({rank, other}), HasSubstr("parameters"));
  EXPECT_THAT(complaint({}), HasSubstr("no rank wrote a record"));
}

TEST(RankMerge, LeavesOneRankAlone) {
  const RunRecord merged = merged_ranks({timed_rank({step(50, 5, 20)}, 60)});
  EXPECT_EQ(merged.timed.at("e2e").steps[0].samples, 4);
  EXPECT_EQ(merged.timed.at("e2e").steps[0].shape, 7U);
}

}  // namespace
}  // namespace stepgate
