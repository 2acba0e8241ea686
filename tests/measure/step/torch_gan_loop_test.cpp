#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "measure/step/torch_loop_records.h"
#include "measure/torch_loops.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

const RunRecord& clean_gan() {
  static const RunRecord record = record_of(toy_gan(), Group::exact);
  return record;
}

std::string complaint(const GanPlan& plan, Pass pass = Pass::counts) { return complaint(toy_gan(plan), pass); }

/// What the error advises that `pass` throws over the loop.
std::string advice(const Case& loop) {
  const auto device = open_device("cpu");
  CaseRun run(loop, *device, {.steps = loop.steps});
  try {
    run.run(Pass::counts);
  } catch (const Error& error) {
    return error.remedy();
  }
  return "nothing was thrown";
}

TEST(GanLoop, AdvisesWhatFitsTheRefusedName) {
  EXPECT_EQ(advice(toy_gan({.name = "Critic"})),
            "name a boundary of your own with lower case letters, digits and underscores");
  EXPECT_EQ(advice(toy_gan({.name = std::string(33, 'a')})), "shorten the name");
  EXPECT_EQ(advice(toy_gan({.name = "forward"})),
            "choose another name, for example \"own_forward\"; marks.forward_done() ends stepgate's forward");
  const auto many = [](StepMarks& marks, std::int64_t) {
    for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) marks.boundary(name);
  };
  EXPECT_EQ(advice(toy_gan({.at_end = many})), "let one boundary contain several parts of the step");
}

TEST(GanLoop, AdvisesToSetAMarkOnceAStep) {
  const auto twice = [](StepMarks& marks, std::int64_t) { marks.boundary("discriminator"); };
  EXPECT_EQ(
      advice(toy_gan({.at_end = twice})),
      "set each mark once per step, after the last time that its part runs; call marks.next_step() before each step");
}

TEST(GanLoop, HasABoundaryOfItsOwnAtItsPlace) {
  EXPECT_EQ(clean_gan().boundaries.names(), (std::vector<std::string>{"data_wait", "discriminator", "h2d", "forward",
                                                                      "backward", "optimizer", "logging"}));
  EXPECT_GT(clean_gan().counts->by_boundary.at("operators_per_step").at("discriminator"), 0);
  EXPECT_GT(clean_gan().memory->peak_by_boundary.at("discriminator"), 0);
  const RunRecord timed = record_of(toy_gan(), Group::timed);
  EXPECT_GT(timed.timed.at("phase").steps.front().host_ns[static_cast<std::size_t>(own_boundary(0))], 0);
  EXPECT_GT(timed.timed.at("e2e").steps.front().host_ns[static_cast<std::size_t>(own_boundary(0))], 0);
  EXPECT_EQ(timed.absent.at("h2d_ns"), "the loop does not mark h2d: its time is part of discriminator or forward");
}

TEST(GanLoop, MoreWorkOfTheDiscriminatorIsCountedThereOnly) {
  const RunRecord more = record_of(toy_gan({.discriminator_steps = 2}), Group::exact);
  const auto operators = [](const RunRecord& record, const char* boundary) {
    return record.counts->by_boundary.at("operators_per_step").at(boundary);
  };
  EXPECT_GT(operators(more, "discriminator"), operators(clean_gan(), "discriminator"));
  for (const char* boundary : {"h2d", "forward", "backward", "optimizer", "logging"}) {
    EXPECT_EQ(operators(more, boundary), operators(clean_gan(), boundary)) << boundary;
  }
}

TEST(GanLoop, RecordsBothLosses) {
  const NumericTrace& trace = clean_gan().numerics.value();
  EXPECT_EQ(trace.further_losses.at("discriminator").size(), trace.loss.size());
  EXPECT_NE(trace.further_losses.at("discriminator").front(), trace.further_losses.at("discriminator").back());
  EXPECT_NE(trace.further_losses.at("discriminator").front(), trace.loss.front());
  const RunRecord again = record_of(toy_gan(), Group::exact);
  EXPECT_EQ(again.numerics->further_losses, trace.further_losses);
  EXPECT_EQ(again.numerics->loss_digest, trace.loss_digest);
}

TEST(GanLoop, CountsTheFirstStepToo) {
  Case gan = toy_gan();
  gan.steps.exact_warmup = 0;
  const RunRecord record = record_of(gan, Group::exact);
  const auto& operators = record.counts->by_boundary.at("operators_per_step");
  const auto& of_warm_steps = clean_gan().counts->by_boundary.at("operators_per_step");
  // The loop does not mark h2d, which only the end of the first step tells: until then h2d has the work of forward.
  EXPECT_EQ(operators.at("h2d") + operators.at("forward"), of_warm_steps.at("forward")) << "no work of discriminator";
  EXPECT_GE(operators.at("discriminator"), of_warm_steps.at("discriminator")) << "it also makes its optimizer's state";
}

TEST(GanLoop, RefusesWhatTheFirstStepDidNotDo) {
  EXPECT_THAT(complaint(GanPlan{.misses_in_step = 2}),
              HasSubstr("step 2: the loop did not call marks.boundary(\"discriminator\")"));
  const auto late = [](StepMarks& marks, std::int64_t step) {
    if (step == 1) marks.boundary("late");
  };
  EXPECT_THAT(complaint(GanPlan{.at_end = late}),
              HasSubstr("step 1: the loop called marks.boundary(\"late\"), which its first step did not"));
  const auto twice = [](StepMarks& marks, std::int64_t) { marks.boundary("discriminator"); };
  EXPECT_THAT(
      complaint(GanPlan{.at_end = twice}),
      HasSubstr(
          "step 0: the loop called marks.boundary(\"discriminator\") a second time, after marks.optimizer_done()"));
  EXPECT_THAT(complaint(GanPlan{.no_loss_in_step = 2}, Pass::numerics),
              HasSubstr("step 2 gave no loss \"discriminator\", but step 0 did"));
}

TEST(GanLoop, SaysWhichFirstStepGaveNoLoss) {
  EXPECT_THAT(complaint(GanPlan{.no_loss_in_step = 0}, Pass::numerics),
              HasSubstr("step 1 gave the loss \"discriminator\", but step 0 gave none"));
}

TEST(GanLoop, RefusesNamesThatCannotBe) {
  EXPECT_THAT(complaint(GanPlan{.name = "Critic"}),
              HasSubstr("step 0: the loop called marks.boundary(\"Critic\"): a name has lower case letters, digits and "
                        "underscores only"));
  EXPECT_THAT(complaint(GanPlan{.name = "forward"}),
              HasSubstr("called marks.boundary(\"forward\"): a boundary of stepgate has this name"));
  const auto many = [](StepMarks& marks, std::int64_t) {
    for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) marks.boundary(name);
  };
  EXPECT_THAT(complaint(GanPlan{.at_end = many}), HasSubstr("called marks.boundary(\"h\"): a step has at most 8"));
  const auto no_number = [](StepMarks& marks, std::int64_t) { marks.boundary("pair", torch::zeros({2})); };
  EXPECT_THAT(complaint(GanPlan{.at_end = no_number}, Pass::numerics),
              HasSubstr("marks.boundary(\"pair\") was given a tensor of 2 elements"));
}

}  // namespace
}  // namespace stepgate
