// The pass of group profile over real tensors. No test compares two times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "measure/device/cpu/cpu_backend.h"
#include "measure/profile/experiments/fused_update.h"
#include "measure/profile/kineto_trace.h"
#include "measure/profile/operator_replay.h"
#include "measure/program/case/case_passes.h"
#include "measure/program/case/case_run.h"
#include "measure/step/torch_step.h"
#include "measure/torch_toys.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

TEST(FusedUpdate, UpdatesAsAdamWDoesAndDropsGradients) {
  const auto parameters = [] {
    torch::manual_seed(1);
    return std::vector<torch::Tensor>{torch::randn({8, 4}, torch::requires_grad()),
                                      torch::randn({5}, torch::requires_grad())};
  };
  const auto fused = parameters();
  const auto single = parameters();
  FusedUpdate update(fused, {});
  torch::optim::AdamW optimizer(single, torch::optim::AdamWOptions(1e-4).weight_decay(0));
  for (int step = 0; step < 5; ++step) {
    for (const auto& of : {fused, single}) {
      (of[0].sum() * of[0].square().mean() + of[1].sin().sum()).backward();
    }
    update.step();
    EXPECT_FALSE(fused[0].grad().defined());
    optimizer.step();
    optimizer.zero_grad();
  }
  EXPECT_FALSE(torch::equal(fused[0], parameters()[0]));
  for (std::size_t i = 0; i < 2; ++i) EXPECT_TRUE(torch::allclose(fused[i], single[i], 1e-6, 1e-7)) << i;
}

TEST(FusedUpdate, UpdatesAsSgdWithMomentumDoes) {
  const std::vector<torch::Tensor> fused = {torch::ones({4}, torch::requires_grad())};
  const std::vector<torch::Tensor> single = {torch::ones({4}, torch::requires_grad())};
  FusedUpdate update(fused, {.kind = FusedUpdateKind::sgd, .momentum = true, .learning_rate = 0.1});
  torch::optim::SGD optimizer(single, torch::optim::SGDOptions(0.1).momentum(0.9));
  for (int step = 0; step < 3; ++step) {
    for (const auto& of : {fused, single}) of[0].square().sum().backward();
    update.step();
    optimizer.step();
    optimizer.zero_grad();
  }
  EXPECT_TRUE(torch::allclose(fused[0], single[0], 1e-6, 1e-7));
}

TEST(FusedUpdate, LeavesParametersWithSparseGradients) {
  const std::vector<torch::Tensor> parameters = {torch::ones({4, 2}, torch::requires_grad())};
  torch::embedding(parameters[0], torch::tensor({1, 2}), -1, false, /*sparse=*/true).sum().backward();
  ASSERT_TRUE(parameters[0].grad().is_sparse());
  EXPECT_NO_THROW(FusedUpdate(parameters, {.clips = true}).step());
  EXPECT_FALSE(parameters[0].grad().defined());
}

TEST(FusedUpdate, ClipsWhereTheWorkloadDoes) {
  const std::vector<torch::Tensor> parameters = {torch::zeros({4}, torch::requires_grad())};
  parameters[0].mutable_grad() = torch::full({4}, 50.0);
  FusedUpdate({parameters}, {.kind = FusedUpdateKind::sgd, .clips = true, .learning_rate = 1}).step();
  EXPECT_NEAR(parameters[0].norm().item<double>(), 1, 1e-4);
}

TEST(OperatorReplay, ReplaysCostlyOperatorsInTheFormsThatDiffer) {
  ObservedWork work{.steps = 1};
  const auto add = [&](const char* name, std::vector<ObservedTensor> inputs, std::int64_t self_ns) {
    OperatorSite site{.boundary = "forward", .name = name, .inputs = std::move(inputs)};
    site.self_ns = self_ns;
    work.sites.push_back(std::move(site));
  };
  const ObservedTensor left{.sizes = {32, 10}, .strides = {10, 1}, .dtype = "float32"};
  const ObservedTensor transposed{.sizes = {10, 16}, .strides = {1, 10}, .dtype = "float32"};
  add("aten::mm", {left, transposed}, 50);
  add("aten::mm", {left, transposed}, 1);                                     // too cheap
  add("aten::some_new_one", {left}, 50);                                      // not in the table
  add("aten::mm", {left, left}, 40);                                          // sizes that do not fit
  add("aten::gelu", {{.sizes = {4}, .strides = {1}, .dtype = "int64"}}, 40);  // values matter
  const auto backend = make_cpu_backend(nullptr);
  const auto replays = replay_operators(
      {.work = work, .device = torch::kCPU, .backend = *backend, .step_ns = 100, .budget_ns = 1'000'000});
  std::set<std::string> forms;
  for (const OperatorReplay& replay : replays) {
    EXPECT_EQ(replay.site, 0u);
    EXPECT_GT(replay.ns, 0);
    forms.insert(replay.form);
  }
  EXPECT_EQ(forms, (std::set<std::string>{"as recorded", "padded to 16", "contiguous", "bfloat16"}));
}

RunRecord profiled(const Case& test_case, const ProfileChoice& choice) {
  const auto device = open_device("cpu");
  CaseRun run(test_case, *device, {.steps = test_case.steps, .profile = choice});
  for (const Pass pass : passes_of(Group::profile)) {
    EXPECT_TRUE(can_run(test_case, pass, test_case.steps));
    run.run(pass);
  }
  return run.take_record(Group::profile);
}

std::string unzipped(const std::filesystem::path& file) {
  const gzFile zipped = gzopen(file.c_str(), "rb");
  std::string text;
  std::array<char, 1 << 16> piece;
  for (int got = gzread(zipped, piece.data(), piece.size()); got > 0;
       got = gzread(zipped, piece.data(), piece.size())) {
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
  gzclose(zipped);
  return text;
}

TEST(ProfilePass, RunsEveryExperimentThatAWorkloadAllows) {
  const auto trace = std::filesystem::path(testing::TempDir()) / "toy.trace.json.gz";
  std::filesystem::remove(trace);
  Case short_blocks = toy_mlp();
  short_blocks.steps.profile = 20;
  const RunRecord record = profiled(short_blocks, {.trace = trace, .schedule = {.active = 2}});
  ASSERT_TRUE(record.profile && record.warmup);
  const ProfileRun& run = *record.profile;
  std::set<std::string> variants;
  for (const VariantBlock& block : run.blocks) {
    variants.insert(block.variant);
    EXPECT_GT(block.wall_ns, 0);
    EXPECT_GE(block.steps, 20);
  }
  for (const char* name :
       {"baseline", "synthetic-batch", "resident-batch", "optimizer-skipped", "optimizer-fused", "logging-off"}) {
    EXPECT_TRUE(variants.contains(name)) << name;
  }
  EXPECT_NE(variants.contains("delayed-loader"), run.absent.contains("delayed-loader"))
      << "the toy's batches come fast, on an idle machine within 20 us";
  EXPECT_EQ(run.absent.at("extra-sync"), "a CPU has nothing to wait for");
  ASSERT_TRUE(run.observed);
  EXPECT_TRUE(run.observed->by_shape);
  EXPECT_GE(run.observed->steps, 20);
  EXPECT_GT(run.observed_wall_ns, 0);
  EXPECT_GT(run.unobserved_wall_ns, 0);
  EXPECT_GT(run.peaks.flops_per_s.at("float32"), 1e8);
  EXPECT_GT(run.peaks.bandwidth.size(), 5u);
  EXPECT_GT(run.peaks.floor_ns, 0);
  EXPECT_EQ(run.trace, "toy.trace.json.gz");
  const std::string text = unzipped(trace);
  for (const char* part : {"ProfilerStep#5", "ProfilerStep#6", "\"distributedInfo\"", "\"backward\"", "aten::addmm"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_THAT(text, testing::Not(HasSubstr("ProfilerStep#7")));
}

TEST(ProfilePass, OnlyObservesWhereThatIsAsked) {
  const RunRecord record = profiled(toy_mlp(), {.parts = ProfileParts::observe});
  EXPECT_TRUE(record.profile->blocks.empty());
  EXPECT_TRUE(record.profile->peaks.flops_per_s.empty());
  ASSERT_TRUE(record.profile->observed);
  EXPECT_EQ(record.profile->observed->steps, 60);
  Case few = toy_mlp();
  few.steps.profile = 8;
  EXPECT_EQ(profiled(few, {.parts = ProfileParts::observe}).profile->observed->steps, 10) << "two windows";
}

TEST(ProfilePass, OnlyRunsExperimentsWhereThatIsAsked) {
  const RunRecord record = profiled(toy_mlp(), {.parts = ProfileParts::experiments});
  EXPECT_FALSE(record.profile->blocks.empty());
  EXPECT_FALSE(record.profile->observed);
  EXPECT_TRUE(record.profile->peaks.flops_per_s.empty());
  EXPECT_TRUE(record.profile->replays.empty());
}

TEST(KinetoTrace, NoticesThatATraceIsCutOff) {
  EXPECT_TRUE(is_whole_trace("{\"traceEvents\": []\n}\n"));
  EXPECT_FALSE(is_whole_trace("{\"traceEvents\": [{\"ph\": \"X\", \"na\n"));
  EXPECT_FALSE(is_whole_trace(""));
}

TEST(ProfilePass, ATraceThatCannotBeWrittenIsAReason) {
  const RunRecord record = profiled(toy_mlp(), {.parts = ProfileParts::observe, .trace = "/dev/full/no/toy.json.gz"});
  EXPECT_EQ(record.profile->trace, "");
  EXPECT_THAT(record.profile->absent.at("trace"), HasSubstr("/dev/full/no/toy.json.gz could not be"));
}

}  // namespace
}  // namespace stepgate
