#include "measure/step/torch_loss_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "measure/program/case/case_passes.h"
#include "measure/program/case/case_run.h"
#include "measure/torch_toys.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::string slot_name(LossSlot slot) { return slot == forward_loss ? "loss" : "loss[other]"; }

torch::Tensor number(double value, torch::ScalarType type = torch::kFloat32) { return torch::full({}, value, type); }

TEST(LossWatch, TellsTheFirstLossThatIsNotFinite) {
  LossWatch watch;
  watch.keep_breaks();
  for (std::int64_t step = 40; step < 50; ++step) {
    watch.note(forward_loss, number(step < 44 ? 2.5 : std::numeric_limits<double>::quiet_NaN()), step);
    watch.note(own_loss(0), number(step < 47 ? 0.5 : std::numeric_limits<double>::infinity()), step);
  }
  const PassLosses losses = watch.take(slot_name);
  EXPECT_EQ(losses.steps, 10);
  EXPECT_EQ(losses.seen, 10);
  EXPECT_EQ(losses.last_seen, 49);
  EXPECT_EQ(losses.breaks.at("loss").step, 44);
  EXPECT_TRUE(std::isnan(losses.breaks.at("loss").value));
  EXPECT_EQ(losses.breaks.at("loss[other]").step, 47);
  EXPECT_THAT(losses.values, IsEmpty()) << "a timed pass keeps none";
  EXPECT_EQ(watch.take(slot_name), PassLosses{}) << "the next pass begins anew";
}

TEST(LossWatch, KeepsTheValuesOfAnExactPassInEveryType) {
  LossWatch watch;
  watch.keep_values(3);
  watch.note(forward_loss, number(0.5), 0);
  watch.note(forward_loss, number(0.25, torch::kBFloat16), 1);
  watch.note(forward_loss, number(0.125, torch::kFloat64), 2);
  watch.note(forward_loss, number(1, torch::kHalf), 3);
  const PassLosses losses = watch.take(slot_name);
  EXPECT_THAT(losses.values, ElementsAre(0.5, 0.25, 0.125)) << "room was made for three";
  EXPECT_EQ(losses.seen, 4);
}

TEST(LossWatch, ALossThatItCannotReadIsAStepWithoutALook) {
  LossWatch watch;
  watch.keep_breaks();
  watch.note(forward_loss, torch::ones({}).to(torch::kFloat32).to_sparse(), 0);
  watch.note(forward_loss, torch::Tensor(), 1);
  const PassLosses losses = watch.take(slot_name);
  EXPECT_EQ(losses.steps, 1);
  EXPECT_EQ(losses.seen, 0);
}

TEST(LossWatch, WithoutBeingAskedItKeepsNothing) {
  LossWatch watch;
  watch.note(forward_loss, number(1), 0);
  EXPECT_EQ(watch.take(slot_name), PassLosses{});
}

/// The loss of one number: NaN from step `breaks_from` on.
class Breaking final : public Workload {
 public:
  explicit Breaking(std::int64_t breaks_from) : breaks_from_(breaks_from) {}
  Batch next_batch() override { return {.tensors = {torch::ones({4})}, .samples = 4}; }
  torch::Tensor forward(const Batch& batch) override {
    const bool broken = forwards_++ >= breaks_from_;
    return (weight_ * batch.tensors[0]).sum() * (broken ? std::numeric_limits<double>::quiet_NaN() : 1.0);
  }
  void optimizer_step() override { weight_.mutable_grad() = torch::Tensor(); }
  std::vector<torch::Tensor> parameters() const override { return {weight_}; }

 private:
  std::int64_t breaks_from_;
  std::int64_t forwards_ = 0;
  torch::Tensor weight_ = torch::ones({4}, torch::requires_grad());
};

RunRecord record_of_breaking(std::int64_t breaks_from, Group group) {
  const Case breaking{.name = "toy/breaking/tiny",
                      .make = [=](const CaseContext&) { return std::make_unique<Breaking>(breaks_from); },
                      .steps = toy_mlp().steps};
  const auto device = open_device("cpu");
  CaseRun run(breaking, *device, {.steps = breaking.steps});
  for (const Pass pass : passes_of(group)) {
    if (can_run(breaking, pass, breaking.steps)) run.run(pass);
  }
  return run.take_record(group);
}

TEST(LossWatch, ALossThatBreaksLateIsInTheRecordOfATimedProcess) {
  const RunRecord record = record_of_breaking(12, Group::timed);
  EXPECT_EQ(record.losses.at("warmup").breaks.at("loss").step, 12);
  const PassLosses& e2e = record.losses.at("e2e");
  EXPECT_EQ(e2e.steps, record.steps.e2e);
  EXPECT_EQ(e2e.seen, record.steps.e2e);
  EXPECT_EQ(e2e.breaks.at("loss").step, record.losses.at("warmup").steps) << "timed passes share one workload";
  EXPECT_EQ(record.losses.at("phase").steps, record.steps.phase);
  EXPECT_EQ(record.losses.at("synthetic").steps, record.steps.synthetic);
  EXPECT_FALSE(record.losses.contains("loader"));
}

TEST(LossWatch, ExactPassesKeepTheLossOfEveryStep) {
  const RunRecord record = record_of_breaking(1000, Group::exact);
  const StepCounts& steps = record.steps;
  EXPECT_THAT(record.losses.at("counts").values,
              SizeIs(static_cast<std::size_t>(steps.exact_warmup + 2 * steps.counts)))
      << "those that make primitives of oneDNN too";
  EXPECT_THAT(record.losses.at("memory").values, SizeIs(static_cast<std::size_t>(steps.exact_warmup + steps.memory)));
  EXPECT_FALSE(record.losses.contains("numerics"));
  EXPECT_THAT(record.losses.at("memory").breaks, IsEmpty());
}

}  // namespace
}  // namespace stepgate
