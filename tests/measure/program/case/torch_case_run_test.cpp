#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/program/case/case_passes.h"
#include "measure/program/case/case_run.h"
#include "measure/torch_toys.h"

namespace stepgate {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::SizeIs;

RunRecord exact_record(const Case& test_case) {
  const auto device = open_device("cpu");
  CaseRun run(test_case, *device, {.steps = test_case.steps});
  for (const Pass pass : passes_of(Group::exact)) {
    if (can_run(test_case, pass, test_case.steps)) run.run(pass);
  }
  return run.take_record(Group::exact);
}

const RunRecord& clean_mlp() {
  static const RunRecord record = exact_record(toy_mlp());
  return record;
}

std::int64_t first(const RunRecord& record, const std::string& metric) {
  return record.counts->per_step.at(metric).front();
}

void expect_equal_work(const RunRecord& left, const RunRecord& right) {
  EXPECT_EQ(left.counts->per_step, right.counts->per_step);
  EXPECT_EQ(left.counts->by_boundary, right.counts->by_boundary);
  EXPECT_EQ(left.counts->operators, right.counts->operators);
  EXPECT_EQ(left.memory->series.at("resident_bytes"), right.memory->series.at("resident_bytes"));
  EXPECT_EQ(left.memory->peak_bytes, right.memory->peak_bytes);
  EXPECT_EQ(left.numerics->loss, right.numerics->loss);
  EXPECT_EQ(left.numerics->parameter_digest, right.numerics->parameter_digest);
}

TEST(CaseRun, RepeatsMlpExactly) {
  EXPECT_GT(first(clean_mlp(), "operators_per_step"), 20);
  EXPECT_GT(first(clean_mlp(), "allocations_per_step"), 10);
  expect_equal_work(clean_mlp(), exact_record(toy_mlp()));
}

TEST(CaseRun, RepeatsConvBatchNormGeluExactly) {
  const RunRecord conv = exact_record(toy_conv());
  EXPECT_GT(first(conv, "allocated_bytes_per_step"), 8 * 3 * 12 * 12 * 4);
  expect_equal_work(conv, exact_record(toy_conv()));
}

TEST(CaseRun, DoesTheSameWorkInEveryStep) {
  for (const char* metric : {"operators_per_step", "allocations_per_step", "allocated_bytes_per_step"}) {
    const auto& values = clean_mlp().counts->per_step.at(metric);
    EXPECT_THAT(values, SizeIs(4)) << metric;
    EXPECT_THAT(values, Each(values.front())) << metric;
  }
}

TEST(CaseRun, NamesOneExtraOperatorAndItsBoundary) {
  const RunRecord faulty = exact_record(toy_mlp(Fault::extra_operator));
  const auto& before = clean_mlp().counts->operators.at("forward");
  const auto& after = faulty.counts->operators.at("forward");
  EXPECT_EQ(before.count("aten::sigmoid"), 0U);
  EXPECT_EQ(after.at("aten::sigmoid"), 4) << "one in each counted step";
  EXPECT_EQ(after.size(), before.size() + 1);
  EXPECT_GT(first(faulty, "operators_per_step"), first(clean_mlp(), "operators_per_step"));
}

TEST(CaseRun, CountsTheNodesThatAutogradRecords) {
  // Both layers t() and addmm, between them relu; log_softmax and nll_loss.
  EXPECT_THAT(clean_mlp().counts->per_step.at("autograd_nodes_per_step"), Each(7));
  EXPECT_EQ(clean_mlp().counts->by_boundary.at("autograd_nodes_per_step").at("forward"), 4 * 7);
}

TEST(CaseRun, SeesAnEvaluationWithoutNoGradGuard) {
  const RunRecord guarded = exact_record(toy_mlp(Fault::evaluates));
  const RunRecord unguarded = exact_record(toy_mlp(Fault::evaluates_unguarded));
  EXPECT_EQ(guarded.counts->per_step.at("operators_per_step"), unguarded.counts->per_step.at("operators_per_step"));
  EXPECT_EQ(guarded.counts->by_boundary.at("autograd_nodes_per_step").at("logging"), 0);
  EXPECT_EQ(unguarded.counts->by_boundary.at("autograd_nodes_per_step").at("logging"), 4 * 6) << "the net and sum()";
}

TEST(CaseRun, CountsNodesThatAnotherThreadMakes) {
  const RunRecord record = exact_record(toy_mlp(Fault::forward_on_a_thread));
  EXPECT_THAT(record.counts->per_step.at("autograd_nodes_per_step"), Each(7));
}

TEST(CaseRun, NamesOperatorsOfOtherThreads) {
  using Calls = std::map<std::string, std::int64_t>;
  EXPECT_EQ(clean_mlp().counts->worker_operators, Calls{});
  const RunRecord record = exact_record(toy_mlp(Fault::loads_on_a_thread));
  EXPECT_EQ(record.counts->worker_operators.at("aten::flip"), 4) << "one in each counted step";
}

TEST(CaseRun, CountsHostInstructionsOnlyWhereTheCaseAsksForThem) {
  EXPECT_FALSE(can_run(toy_mlp(), Pass::instructions, toy_mlp().steps));
  Case asking = toy_mlp();
  asking.steps.instructions = 3;
  const auto device = open_device("cpu");
  CaseRun run(asking, *device, {.steps = asking.steps});
  run.run(Pass::instructions);
  const RunRecord record = run.take_record(Group::exact);
  EXPECT_EQ(record.fingerprint.at("exact_steps"), "counts=4,memory=5,numerics=3,instructions=3,exact_warmup=2");
  if (!record.instructions) {
    EXPECT_THAT(record.absent.at("host_instructions_per_step"), HasSubstr("instructions"));
    return;
  }
  EXPECT_THAT(record.instructions->per_step, SizeIs(3));
  EXPECT_GT(record.instructions->by_boundary.at("forward"), 3 * 1000);
  EXPECT_EQ(record.absent.count("host_instructions_per_step"), 0U);
}

TEST(CaseRun, ACheckpointIsMeasuredOnlyWhereTheCaseAsksForIt) {
  EXPECT_FALSE(can_run(toy_mlp(), Pass::checkpoint, toy_mlp().steps));
  EXPECT_FALSE(can_run(toy_mlp(), Pass::checkpoint_bytes, toy_mlp().steps));
  Case asking = toy_mlp();
  asking.steps.checkpoint_bytes = 1;
  const auto device = open_device("cpu");
  CaseRun run(asking, *device, {.steps = asking.steps});
  run.run(Pass::checkpoint_bytes);
  const RunRecord record = run.take_record(Group::exact);
  EXPECT_FALSE(record.checkpoint);
  EXPECT_EQ(record.absent.at("checkpoint_bytes"), "the workload saves no checkpoint");
}

TEST(CaseRun, FollowsTheHostHeapWhereItRoseAsAChunkWould) {
  const auto with_steps = [](Fault fault) {
    Case toy = toy_mlp(fault);
    toy.steps.numerics = 21;
    return exact_record(toy);
  };
  const RunRecord clean = with_steps(Fault::no);
  if (!clean.memory->series.contains("followed_host_heap_bytes"))
    GTEST_SKIP() << clean.memory->absent.at("followed_host_heap_bytes");
  EXPECT_THAT(clean.memory->series.at("followed_host_heap_bytes"), SizeIs(20)) << "of steps 1 to 20";
  const RunRecord growing = with_steps(Fault::keeps_a_journal);
  const auto& levels = growing.memory->series.at("followed_host_heap_bytes");
  ASSERT_THAT(levels, SizeIs(49));
  EXPECT_GT(levels.back() - levels.front(), 3 << 20) << "steps 8, 24 and 40";
  EXPECT_LT(levels.back() - levels.front(), 4 << 20);
  EXPECT_EQ(growing.numerics->loss, clean.numerics->loss);
  EXPECT_EQ(growing.numerics->parameter_digest, clean.numerics->parameter_digest) << "after step 20";
  EXPECT_EQ(growing.background->steps, 21);
}

TEST(CaseRun, CountsItemAsHostSyncOfForward) {
  EXPECT_EQ(first(clean_mlp(), "host_syncs_per_step"), 0);
  const RunRecord faulty = exact_record(toy_mlp(Fault::item_in_forward));
  EXPECT_THAT(faulty.counts->per_step.at("host_syncs_per_step"), Each(1));
  EXPECT_EQ(faulty.counts->by_boundary.at("host_syncs_per_step").at("forward"), 4);
}

TEST(CaseRun, SeesKeptActivationInPeakAndNotAsLeak) {
  const RunRecord faulty = exact_record(toy_mlp(Fault::keeps_activation));
  const std::int64_t kept_bytes = 100 * 32 * 10 * 4;
  EXPECT_GE(faulty.memory->series.at("peak_allocated_bytes").front(),
            clean_mlp().memory->series.at("peak_allocated_bytes").front() + kept_bytes);
  EXPECT_EQ(faulty.memory->series.at("resident_bytes").back(),
            clean_mlp().memory->series.at("resident_bytes").back() + kept_bytes);
  EXPECT_THAT(faulty.memory->series.at("resident_bytes"), Each(faulty.memory->series.at("resident_bytes").front()));
}

TEST(CaseRun, SeesLeakToTheByte) {
  const std::vector<std::int64_t> resident = exact_record(toy_mlp(Fault::leaks)).memory->series.at("resident_bytes");
  ASSERT_THAT(resident, SizeIs(5));
  for (std::size_t i = 1; i < resident.size(); ++i) EXPECT_EQ(resident[i] - resident[i - 1], 100 * 4);
  EXPECT_THAT(clean_mlp().memory->series.at("resident_bytes"),
              Each(clean_mlp().memory->series.at("resident_bytes").front()));
}

TEST(CaseRun, CountsCopiesToTheDevice) {
  EXPECT_EQ(first(clean_mlp(), "h2d_copies_per_step"), 2);
  EXPECT_EQ(first(clean_mlp(), "h2d_bytes_per_step"), 32 * 64 * 4 + 32 * 8);
  const RunRecord faulty = exact_record(toy_mlp(Fault::extra_tensor));
  EXPECT_EQ(first(faulty, "h2d_copies_per_step"), 3);
  EXPECT_EQ(clean_mlp().counts->operators.at("h2d"), (std::map<std::string, std::int64_t>{{"aten::copy_", 8}}));
}

TEST(CaseRun, TakesTimesOfAllTimedPasses) {
  const auto device = open_device("cpu");
  const Case mlp = toy_mlp();
  CaseRun run(mlp, *device, {.steps = mlp.steps});
  for (const Pass pass : passes_of(Group::timed)) {
    const bool asked_for = pass == Pass::checkpoint || pass == Pass::requests || pass == Pass::open_requests;
    if (!asked_for) run.run(pass);  // the others run only where a case asks for them
  }
  const RunRecord record = run.take_record(Group::timed);
  EXPECT_THAT(record.timed.at("e2e").windows, SizeIs(4));
  EXPECT_THAT(record.timed.at("phase").steps, SizeIs(6));
  EXPECT_THAT(record.timed.at("synthetic").steps, SizeIs(10));
  EXPECT_GT(record.warmup->first_step_ns, 0);
  EXPECT_EQ(record.timed.at("e2e").steps.front().samples, 32);
  EXPECT_FALSE(record.counts.has_value());
  EXPECT_EQ(record.fingerprint.at("timed_steps"), "e2e=20,window=5,phase=6,synthetic=10,loader=40,h2d=7,logging=80");
  EXPECT_EQ(record.fingerprint.count("exact_steps"), 0U);
}

TEST(CaseRun, MovesItsSamplesIntoTheRecord) {
  const auto device = open_device("cpu");
  const Case mlp = toy_mlp();
  CaseRun run(mlp, *device, {.steps = mlp.steps});
  run.run(Pass::e2e);
  const StepSample* const samples = run.found().timed.at("e2e").steps.data();
  const RunRecord record = run.take_record(Group::timed);
  EXPECT_EQ(record.timed.at("e2e").steps.data(), samples);
  EXPECT_TRUE(run.found().timed.empty());
}

TEST(CaseRun, SaysWhereAWorkloadThrew) {
  const auto device = open_device("cpu");
  const Case broken = toy_mlp(Fault::throws);
  CaseRun run(broken, *device, {.steps = broken.steps});
  try {
    run.run(Pass::counts);
    FAIL() << "nothing was thrown";
  } catch (const WorkloadFailure& failure) {
    EXPECT_STREQ(failure.what(), "case toy/mlp/tiny, pass counts, boundary forward, step 1: the toy is broken");
  }
}

/// The rate of an open loop is the harness's, and many workloads refuse a parameter that they do not know.
TEST(CaseRun, KeepsTheRateOfRequestsFromTheWorkload) {
  const auto device = open_device("cpu");
  std::map<std::string, std::string> seen;
  Case sized = toy_mlp();
  sized.params = {{"request_rate_per_s", "100"}, {"width", "8"}};
  const auto make = sized.make;
  sized.make = [&](const CaseContext& context) {
    seen = context.params;
    return make(context);
  };
  CaseRun run(sized, *device, {.steps = sized.steps});
  run.run(Pass::counts);
  EXPECT_THAT(seen, testing::ElementsAre(testing::Pair("width", "8")));
  EXPECT_EQ(run.take_record(Group::exact).params.count("request_rate_per_s"), 1U);
}

TEST(CaseRun, NotesWhereItIsForTheLauncher) {
  const auto device = open_device("cpu");
  const auto place = std::make_shared<ProcessPlace>();
  std::vector<std::string> seen;
  Case watched = toy_mlp();
  const auto make = watched.make;
  watched.make = [&](const CaseContext& context) {
    seen.push_back(text_of(*place));
    return make(context);
  };
  CaseRun run(watched, *device, {.steps = watched.steps, .place = place});
  run.run(Pass::counts);
  EXPECT_THAT(text_of(*place), testing::StartsWith("in pass counts, after step "));
  run.run(Pass::e2e);
  EXPECT_THAT(text_of(*place), testing::StartsWith("in pass e2e, after step "));
  EXPECT_THAT(seen, testing::ElementsAre("in pass counts, before its first step", "in warm-up, before its first step"));
  run.take_record(Group::timed);
  EXPECT_EQ(text_of(*place), "after its last pass");
}

TEST(CaseRun, ThePlaceOfAStepThatFailedStays) {
  const auto device = open_device("cpu");
  const auto place = std::make_shared<ProcessPlace>();
  const Case broken = toy_mlp(Fault::throws);
  CaseRun run(broken, *device, {.steps = broken.steps, .place = place});
  EXPECT_THROW(run.run(Pass::counts), WorkloadFailure);
  EXPECT_EQ(text_of(*place), "in pass counts, boundary forward, step 1");
}

TEST(CaseRun, RefusesLossThatIsNoScalar) {
  const auto device = open_device("cpu");
  const Case broken = toy_mlp(Fault::bad_loss);
  CaseRun run(broken, *device, {.steps = broken.steps});
  try {
    run.run(Pass::numerics);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr("toy/mlp/tiny, pass numerics: Workload::forward returned a tensor of 320"));
  }
}

TEST(CaseRun, LossesDependOnTheSeed) {
  const auto device = open_device("cpu");
  const Case mlp = toy_mlp();
  CaseRun run(mlp, *device, {.seed = 7, .steps = mlp.steps});
  run.run(Pass::numerics);
  EXPECT_NE(run.take_record(Group::exact).numerics->loss_digest, clean_mlp().numerics->loss_digest);
  EXPECT_THAT(clean_mlp().numerics->loss_digest, testing::MatchesRegex("[0-9a-f]{16}"));
}

/// put_ without accumulation has no deterministic implementation on any device.
class PuttingWorkload final : public Workload {
 public:
  PuttingWorkload() : weight_(torch::randn({2}).requires_grad_(true)) {}
  Batch next_batch() override { return {.tensors = {torch::ones({1})}, .samples = 1}; }
  torch::Tensor forward(const Batch&) override {
    return (weight_ + torch::zeros({2}).put_(torch::tensor({1}), torch::tensor({0.5F}))).square().mean();
  }
  void optimizer_step() override {
    const torch::NoGradGuard no_grad;
    weight_.sub_(weight_.grad(), 0.1);
    weight_.mutable_grad().reset();
  }
  std::vector<torch::Tensor> parameters() const override { return {weight_}; }

 private:
  torch::Tensor weight_;
};

TEST(CaseRun, StartsTheNumericsPassAgainWhereLibTorchRefusesToBeDeterministic) {
  Case puts = toy_mlp();
  puts.make = [](const CaseContext&) { return std::make_unique<PuttingWorkload>(); };
  const auto device = open_device("cpu");
  CaseRun run(puts, *device, {.steps = puts.steps});
  run.run(Pass::numerics);
  const NumericTrace trace = *run.take_record(Group::exact).numerics;
  EXPECT_THAT(trace.nondeterministic_operators, testing::ElementsAre("put_"));
  EXPECT_THAT(trace.loss, SizeIs(static_cast<std::size_t>(puts.steps.numerics)));
  CaseRun again(puts, *device, {.steps = puts.steps});
  again.run(Pass::numerics);
  EXPECT_EQ(again.take_record(Group::exact).numerics->loss, trace.loss) << "each attempt begins with the seed";
  EXPECT_TRUE(clean_mlp().numerics->nondeterministic_operators.empty());
}

TEST(CaseRun, NamesThreadsThatTheProgramSetThoughTheNextPassSetsThemBack) {
  EXPECT_EQ(clean_mlp().fingerprint.at("threads"), "1");
  EXPECT_FALSE(clean_mlp().fingerprint.contains("affinity")) << "nothing changed them";
  Case test_case = toy_mlp(Fault::sets_threads);
  test_case.steps.instructions = 3;  // its pass builds no workload where the processor's counter is not to be had
  EXPECT_EQ(exact_record(test_case).fingerprint.at("threads"), "2");
  const auto device = open_device("cpu");
  CaseRun timed(test_case, *device, {.threads = 1, .steps = test_case.steps});
  timed.run(Pass::e2e);    // builds the workload
  timed.run(Pass::phase);  // begins with one thread again
  EXPECT_EQ(timed.take_record(Group::timed).fingerprint.at("threads"), "2");
  at::set_num_threads(1);
}

}  // namespace
}  // namespace stepgate
