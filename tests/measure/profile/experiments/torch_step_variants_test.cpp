#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "measure/device/device_side.h"
#include "measure/profile/experiments/step_variants.h"
#include "measure/step/torch_step.h"
#include "measure/torch_toys.h"
#include "stepgate/exchange_switch.h"

namespace stepgate {
namespace {

/// Counts what the step asks of it; every second batch is longer.
class CountingWorkload : public Workload {
 public:
  Batch next_batch() override {
    Batch batch;
    batch.tensors = {torch::full({1 + (drawn_ % 2 == 1 && varies_ ? 1 : 0)}, static_cast<double>(drawn_))};
    ++drawn_;
    return batch;
  }
  torch::Tensor forward(const Batch& batch) override {
    seen_.push_back(batch.tensors[0][0].item<double>());
    return parameter_.sum();
  }
  void optimizer_step() override { ++updates_; }
  std::vector<torch::Tensor> parameters() const override { return {parameter_}; }

  bool varies_ = true;
  int drawn_ = 0;
  int updates_ = 0;
  std::vector<double> seen_;
  torch::Tensor parameter_ = torch::ones({1}, torch::requires_grad());
};

void run_step(TorchStep& step, std::int64_t number = 0) {
  for (const Boundary boundary :
       {Boundary::data_wait, Boundary::h2d, Boundary::forward, Boundary::backward, Boundary::optimizer}) {
    step.run(boundary, number);
  }
  step.release();
}

TEST(TorchStep, KeptBatchesTakeTurnsAndKeepTheirShapes) {
  const auto device = open_device("cpu");
  for (const KeptBatches kept : {KeptBatches::on_host, KeptBatches::on_device}) {
    CountingWorkload workload;
    const auto copier = device->make_copier();
    TorchStep step(workload, *copier);
    step.keep_batches(kept, 3);
    step.use_batches(kept);
    for (int i = 0; i < 4; ++i) run_step(step, i);
    EXPECT_EQ(workload.drawn_, 3);
    step.use_batches(KeptBatches::none);
    run_step(step);
    step.use_batches(kept);
    run_step(step, 8);
    EXPECT_EQ(workload.seen_, (std::vector<double>{0, 1, 2, 0, 3, 2})) << "each step has the batch of its number";
    workload.varies_ = false;
    step.keep_batches(kept, 3);
    run_step(step, 0);
    run_step(step, 1);
    EXPECT_EQ(workload.seen_[6], workload.seen_[7]) << "one is enough where all have one shape";
  }
}

TEST(TorchStep, BatchesOfTwoKindsAreKeptBesideEachOther) {
  const auto device = open_device("cpu");
  CountingWorkload workload;
  const auto copier = device->make_copier();
  TorchStep step(workload, *copier);
  step.keep_batches(KeptBatches::on_host, 2);
  step.keep_batches(KeptBatches::on_device, 2);
  std::int64_t number = 0;
  for (const KeptBatches kept :
       {KeptBatches::on_host, KeptBatches::on_device, KeptBatches::none, KeptBatches::on_host}) {
    step.use_batches(kept);
    run_step(step, number++);
  }
  EXPECT_EQ(workload.seen_, (std::vector<double>{0, 3, 4, 1}));
}

TEST(TorchStep, AReplacedOptimizerRunsInPlaceOfTheWorkloads) {
  const auto device = open_device("cpu");
  CountingWorkload workload;
  const auto copier = device->make_copier();
  TorchStep step(workload, *copier);
  int instead = 0;
  step.replace_optimizer([&] { ++instead; });
  run_step(step);
  EXPECT_EQ(workload.updates_, 0);
  EXPECT_EQ(instead, 1);
  step.replace_optimizer({});
  run_step(step);
  EXPECT_EQ(workload.updates_, 1);
}

struct VariantRequestParts {
  OptimizerSeen optimizer = {};
  LoaderFacts loader = {};
  std::int64_t ranks = 1;
};

/// The experiments on a workload, which tests run by hand.
class Variants {
 public:
  Variants(Workload& workload, const VariantRequestParts& parts)
      : step_(workload, *copier_),
        found_(step_variants({.run = run_,
                              .altered = altered_,
                              .step = &step_,
                              .ranks = parts.ranks,
                              .optimizer = parts.optimizer,
                              .loader = parts.loader,
                              .delay_ns = 1000})) {}

  TorchStep& step() { return step_; }
  const std::map<std::string, std::string>& absent() const { return found_.absent; }
  const StepVariant& named(std::string_view name) const {
    return *std::find_if(found_.variants.begin(), found_.variants.end(),
                         [&](const StepVariant& one) { return one.name == name; });
  }

 private:
  std::unique_ptr<DeviceSide> device_ = open_device("cpu");
  std::unique_ptr<Backend> backend_ = device_->make_backend(nullptr);
  std::unique_ptr<BatchCopier> copier_ = device_->make_copier();
  TorchStep step_;
  AlteredStep altered_{step_, *backend_, {}};
  TimedRun run_{.actions = altered_, .backend = *backend_, .steps = {}};
  StepVariants found_;
};

TEST(StepVariants, ExperimentsThatCannotTellAnythingAreAbsent) {
  class Nameless : public CountingWorkload {
   public:
    std::vector<torch::Tensor> parameters() const override { return {}; }
  } workload;
  const Variants nameless(workload, {.loader = {.unclear = true}});
  EXPECT_EQ(nameless.absent().at("optimizer-skipped"), "its parameters are not known");
  EXPECT_EQ(nameless.absent().at("delayed-loader"), "a batch comes within 20 us: too fast to be delayed");
  CountingWorkload known;
  const Variants clear(known, {});
  EXPECT_FALSE(clear.absent().contains("optimizer-skipped"));
  EXPECT_FALSE(clear.absent().contains("delayed-loader"));
}

TEST(StepVariants, ParametersArePutBackAfterTheFusedUpdate) {
  const auto workload = toy_mlp().make({});
  Variants variants(*workload, {.optimizer = {.kind = FusedUpdateKind::adamw}});
  run_step(variants.step());
  const torch::Tensor weight = workload->parameters()[0];
  const torch::Tensor before = weight.detach().clone();
  const StepVariant& fused = variants.named("optimizer-fused");
  fused.prepare();
  fused.begin();
  run_step(variants.step());
  fused.end();
  EXPECT_FALSE(torch::equal(weight, before)) << "until its last step of a round";
  fused.undo();
  EXPECT_TRUE(torch::equal(weight, before));
}

TEST(StepVariants, StepsWithKeptBatchesTakeTurnsWithSuchAsDrawTheirs) {
  CountingWorkload workload;
  Variants variants(workload, {});
  const StepVariant& kept = variants.named("synthetic-batch");
  kept.prepare();
  const int first = workload.drawn_;
  for (int i = 0; i < 2; ++i) {
    run_step(variants.step());
    kept.keep_rhythm();
    kept.begin();
    run_step(variants.step(), i);
    kept.end();
  }
  EXPECT_EQ(workload.drawn_, first + 4) << "each step moves the loader on by one batch";
  EXPECT_EQ(workload.seen_, (std::vector<double>{first + 0.0, 0, first + 2.0, 1}));
}

TEST(StepVariants, WithoutItsExchangeARankTrainsOnAloneAndItsParametersArePutBack) {
  class Switched : public CountingWorkload, public ExchangeSwitch {
   public:
    void set_exchange(bool on) override { exchanges_ = on; }
    bool exchanges_ = true;
  } workload;
  Variants variants(workload, {.ranks = 2});
  const StepVariant& off = variants.named("exchange-off");
  const torch::Tensor weight = workload.parameters().at(0);
  const torch::Tensor before = weight.detach().clone();
  off.prepare();
  off.begin();
  EXPECT_FALSE(workload.exchanges_);
  weight.detach().add_(1);
  off.end();
  EXPECT_TRUE(workload.exchanges_);
  EXPECT_FALSE(torch::equal(weight, before));
  off.undo();
  EXPECT_TRUE(torch::equal(weight, before));
  CountingWorkload plain;
  EXPECT_EQ(Variants(plain, {.ranks = 2}).absent().at("exchange-off"),
            "the workload cannot leave its exchange out: implement stepgate/exchange_switch.h");
  EXPECT_EQ(Variants(plain, {}).absent().at("exchange-off"), "one rank exchanges nothing");
}

}  // namespace
}  // namespace stepgate
