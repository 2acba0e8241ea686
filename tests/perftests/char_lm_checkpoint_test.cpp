// The checkpointed character model against the plain one: what it saves, what it costs, and that it learns the same.
#include <gtest/gtest.h>

#include <numeric>

#include "language/char_lm.h"
#include "measure/program/case/case_run.h"
#include "perftests/data_folder.h"

namespace stepgate {
namespace {

constexpr StepCounts few_steps = {.counts = 2, .memory = 5, .numerics = 4, .exact_warmup = 1};

RunRecord exact_record(bool checkpointed) {
  Case test_case;
  test_case.name = "language/char_lm/test";
  test_case.steps = few_steps;
  test_case.make = [checkpointed](const CaseContext& context) {
    auto workload = std::make_unique<CharLm>(context, tiny_char_lm(), synthetic_sources());
    if (checkpointed) workload->checkpoint_blocks();
    return workload;
  };
  const auto device = open_device("cpu");
  RunSettings settings;
  settings.steps = few_steps;
  settings.seed = 3;
  CaseRun run(test_case, *device, settings);
  for (const Pass pass : {Pass::counts, Pass::memory, Pass::numerics}) run.run(pass);
  return run.take_record(Group::exact);
}

const RunRecord& plain() {
  static const RunRecord record = exact_record(false);
  return record;
}

const RunRecord& checkpointed() {
  static const RunRecord record = exact_record(true);
  return record;
}

std::int64_t calls(const RunRecord& record, const std::string& boundary, const std::string& name) {
  const auto& operators = record.counts->operators.at(boundary);
  const auto at = operators.find(name);
  return at == operators.end() ? 0 : at->second;
}

std::int64_t total(const RunRecord& record, const std::string& metric) {
  const auto& values = record.counts->per_step.at(metric);
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

TEST(CharLmCheckpoint, LearnsThePlainTwinsValuesToTheBit) {
  EXPECT_EQ(checkpointed().numerics->loss, plain().numerics->loss);
  EXPECT_EQ(checkpointed().numerics->grad_norm, plain().numerics->grad_norm);
  EXPECT_EQ(checkpointed().numerics->parameter_digest, plain().numerics->parameter_digest);
}

TEST(CharLmCheckpoint, SavesLessThanHalfForBackward) {
  EXPECT_LT(2 * total(checkpointed(), "saved_bytes_per_step"), total(plain(), "saved_bytes_per_step"));
}

TEST(CharLmCheckpoint, ItsPeakIsLower) {
  const auto peak = [](const RunRecord& record) { return record.memory->series.at("peak_allocated_bytes").front(); };
  EXPECT_LT(peak(checkpointed()), peak(plain()));
}

TEST(CharLmCheckpoint, RunsEachBlockOnceMoreInBackward) {
  const std::int64_t blocks = few_steps.counts * tiny_char_lm().layers;
  EXPECT_EQ(calls(plain(), "backward", "aten::gelu"), 0);
  EXPECT_EQ(calls(checkpointed(), "backward", "aten::gelu"), blocks);
  EXPECT_EQ(calls(checkpointed(), "forward", "aten::gelu"), calls(plain(), "forward", "aten::gelu"));
}

/// Forward is about a third of a training step's operators without the optimizer, and the blocks are most of it.
TEST(CharLmCheckpoint, ItsOperatorsRiseByLessThanTheirForward) {
  const auto in = [](const RunRecord& record, const std::string& boundary) {
    return record.counts->by_boundary.at("operators_per_step").at(boundary);
  };
  const std::int64_t more = in(checkpointed(), "backward") - in(plain(), "backward");
  EXPECT_GT(more, in(plain(), "forward") / 2);
  EXPECT_LT(more, 2 * in(plain(), "forward")) << "detach() and accumulation come on top of the blocks";
}

}  // namespace
}  // namespace stepgate
