#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

#include "measure/program/case/case_passes.h"
#include "measure/program/case/case_run.h"
#include "measure/step/torch_loop_records.h"
#include "measure/torch_loops.h"
#include "measure/torch_toys.h"

namespace stepgate {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const RunRecord& clean_loop() {
  static const RunRecord record = record_of(toy_loop(), Group::exact);
  return record;
}

std::string complaint(const LoopPlan& plan, Pass pass = Pass::counts) { return complaint(toy_loop(plan), pass); }

TEST(LoopCase, AProfileRunsOnlyWhatNeedsNeitherItsBatchesNorItsOptimizer) {
  const ProfileRun run = record_of(toy_loop(), Group::profile).profile.value();
  for (const char* name :
       {"synthetic-batch", "resident-batch", "delayed-loader", "optimizer-skipped", "optimizer-fused"}) {
    EXPECT_THAT(run.absent.at(name), HasSubstr("write a workload")) << name;
  }
  EXPECT_THAT(run.absent.at("logging-off"), HasSubstr("cannot be run without its logging"));
  const std::set<std::string> possible = {"baseline", "busy-core", "bandwidth-thief"};
  for (const VariantBlock& block : run.blocks) EXPECT_TRUE(possible.contains(block.variant)) << block.variant;
  EXPECT_THAT(run.blocks, Not(IsEmpty()));
  EXPECT_TRUE(run.observed);
}

TEST(LoopCase, ShowsWhereInTheLoopItsOperatorsAreCalled) {
  // The loop runs on a stack of its own.
  const ObservedWork& work = clean_loop().counts->observed.value();
  EXPECT_EQ(work.not_lines, "");
  const auto product = std::ranges::find(work.sites, "aten::addmm", &OperatorSite::name);
  ASSERT_NE(product, work.sites.end());
  ASSERT_TRUE(product->place);
  EXPECT_THAT(work.places.at(*product->place).offsets, Not(IsEmpty()));
  EXPECT_EQ(product->inputs.at(0).from, "parameter") << "the loop names them in its first step";
  EXPECT_GT(clean_loop().counts->by_boundary.at("flops_per_step").at("forward"), 0);
}

TEST(LoopCase, SeesOfALoopWhatItSeesOfTheWorkload) {
  const RunRecord workload = record_of(toy_mlp(), Group::exact);
  for (const char* boundary : {"forward", "backward", "optimizer"}) {
    EXPECT_EQ(clean_loop().counts->operators.at(boundary), workload.counts->operators.at(boundary)) << boundary;
    for (const char* metric : {"operators_per_step", "allocations_per_step", "allocated_bytes_per_step"}) {
      EXPECT_EQ(clean_loop().counts->by_boundary.at(metric).at(boundary),
                workload.counts->by_boundary.at(metric).at(boundary))
          << metric << " at " << boundary;
    }
  }
  EXPECT_EQ(clean_loop().counts->per_step.at("h2d_bytes_per_step"), workload.counts->per_step.at("h2d_bytes_per_step"));
  EXPECT_EQ(clean_loop().numerics->loss, workload.numerics->loss);
  EXPECT_EQ(clean_loop().numerics->grad_norm, workload.numerics->grad_norm);
  EXPECT_EQ(clean_loop().numerics->parameter_digest, workload.numerics->parameter_digest);
  EXPECT_EQ(clean_loop().memory->peak_by_boundary.at("backward"), workload.memory->peak_by_boundary.at("backward"));
}

TEST(LoopCase, NamesOneExtraOperatorAndItsBoundary) {
  const RunRecord faulty = record_of(toy_loop({.extra_operator = true}), Group::exact);
  EXPECT_EQ(faulty.counts->operators.at("forward").at("aten::sigmoid"), 4) << "one in each counted step";
  EXPECT_GT(faulty.counts->per_step.at("operators_per_step").front(),
            clean_loop().counts->per_step.at("operators_per_step").front());
}

TEST(LoopCase, TakesTimesOfThePassesThatALoopCanRun) {
  const RunRecord record = record_of(toy_loop(), Group::timed);
  EXPECT_THAT(record.timed.at("e2e").windows, SizeIs(4));
  EXPECT_THAT(record.timed.at("phase").steps, SizeIs(6));
  EXPECT_EQ(record.timed.at("e2e").steps.front().samples, 32);
  EXPECT_GT(record.timed.at("phase").steps.front().host_ns[static_cast<std::size_t>(Boundary::backward)], 0);
  EXPECT_EQ(record.timed.size(), 2U);
  EXPECT_THAT(record.absent.at("synthetic_step_ns"), HasSubstr("write a workload"));
  EXPECT_FALSE(record.absent.contains("backward_ns"));
}

TEST(LoopCase, BoundaryWithoutMarkIsAbsentAndItsWorkInTheNext) {
  const LoopPlan plan{.marks_copied = false, .marks_backward = false};
  const RunRecord exact = record_of(toy_loop(plan), Group::exact);
  EXPECT_THAT(exact.counts->operators.at("backward"), IsEmpty());
  EXPECT_EQ(exact.counts->by_boundary.at("operators_per_step").at("optimizer"),
            clean_loop().counts->by_boundary.at("operators_per_step").at("backward") +
                clean_loop().counts->by_boundary.at("operators_per_step").at("optimizer"));
  EXPECT_EQ(exact.numerics->loss, clean_loop().numerics->loss);
  EXPECT_THAT(exact.numerics->grad_norm, IsEmpty());
  EXPECT_FALSE(exact.counts->per_step.contains("h2d_bytes_per_step"));
  EXPECT_THAT(exact.absent.at("h2d_bytes_per_step"), HasSubstr("no tensors"));
  const RunRecord timed = record_of(toy_loop(plan), Group::timed);
  EXPECT_EQ(timed.absent.at("backward_ns"), "the loop does not mark backward: its time is part of optimizer");
  EXPECT_EQ(timed.absent.at("h2d_ns"), "the loop does not mark h2d: its time is part of forward");
}

TEST(LoopCase, WithoutParametersLossesAreStillRecorded) {
  const RunRecord record = record_of(toy_loop({.gives_parameters = false}), Group::exact);
  EXPECT_EQ(record.numerics->loss, clean_loop().numerics->loss);
  EXPECT_THAT(record.numerics->grad_norm, IsEmpty());
  EXPECT_EQ(record.numerics->parameter_digest, "");
  EXPECT_THAT(record.absent.at("grad_norm"), HasSubstr("marks.parameters()"));
}

TEST(LoopCase, LedgerKnowsTheParametersThatTheLoopHandsOver) {
  const auto& bytes = clean_loop().memory->ledger.value().bytes;
  EXPECT_EQ(bytes.at("parameters"), (64 * 64 + 64 + 64 * 10 + 10) * 4);
  EXPECT_EQ(bytes.at("gradients"), bytes.at("parameters"));
}

TEST(LoopCase, SeesLossesThatLoggingKeepsWithTheirGraphs) {
  EXPECT_THAT(clean_loop().counts->per_step.at("held_graphs_per_step"), Each(0));
  const RunRecord leaking = record_of(toy_loop({.keeps_losses = true}), Group::exact);
  EXPECT_GT(leaking.counts->by_boundary.at("held_graphs_per_step").at("logging"), 0);
}

TEST(LoopCase, SaysWhereALoopThrew) {
  const auto fail = [](std::int64_t step) {
    if (step == 1) throw std::runtime_error("the toy is broken");
  };
  EXPECT_EQ(complaint({.in_backward = fail}),
            "case toy/loop/tiny, pass counts, boundary backward, step 1: the toy is broken");
  const auto torch_fails = [](std::int64_t) { torch::ones({2, 3}).matmul(torch::ones({2, 3})); };
  EXPECT_THAT(complaint({.in_backward = torch_fails}), HasSubstr("boundary backward, step 0: mat1 and mat2 shapes"));
}

TEST(LoopCase, NotesABoundaryThatTheLoopNamesItself) {
  const auto device = open_device("cpu");
  const auto place = std::make_shared<ProcessPlace>();
  std::vector<std::string> seen;
  const Case gan{.name = "toy/loop/named",
                 .loop =
                     [&](StepMarks& marks, const CaseContext&) {
                       torch::Tensor weight = torch::ones({1}).requires_grad_(true);
                       seen.push_back(text_of(*place));
                       while (marks.next_step()) {
                         marks.loaded({});
                         seen.push_back(text_of(*place));
                         marks.boundary("critic");
                         const torch::Tensor loss = weight * 2;
                         marks.forward_done(loss);
                         loss.backward();
                         seen.push_back(text_of(*place));
                       }
                     },
                 .steps = toy_mlp().steps};
  CaseRun run(gan, *device, {.steps = gan.steps, .place = place});
  run.run(Pass::counts);
  ASSERT_GE(seen.size(), 5U);
  EXPECT_EQ(seen[0], "in pass counts, before its first step");
  EXPECT_EQ(seen[1], "in pass counts, boundary h2d, step 0") << "its first step tells which boundaries it has";
  EXPECT_EQ(seen[2], "in pass counts, boundary backward, step 0");
  EXPECT_EQ(seen[3], "in pass counts, boundary critic, step 1");
  EXPECT_EQ(seen[4], "in pass counts, boundary logging, step 1") << "backward has no mark: its work is in the next";
}

TEST(LoopCase, RefusesALoopThatEndsByItself) {
  EXPECT_EQ(complaint({.own_steps = 3}), "case toy/loop/tiny, pass counts: step 2: the loop ended by itself");
  EXPECT_EQ(complaint({.own_steps = 0}), "case toy/loop/tiny, pass counts: the loop ended without a step");
}

TEST(LoopCase, RefusesMarksInAnotherOrderThanTheBoundaries) {
  const auto again = [](StepMarks& marks, std::int64_t step) {
    if (step == 2) marks.backward_done();
  };
  EXPECT_THAT(complaint(LoopPlan{.at_end = again}),
              HasSubstr("step 2: the loop called marks.backward_done() a second time, after marks.optimizer_done()"));
  EXPECT_THAT(complaint(LoopPlan{.marks_backward = false, .at_end = again}),
              HasSubstr("step 2: the loop called marks.backward_done() after marks.optimizer_done()"));
}

TEST(LoopCase, RefusesMarksThatComeAndGo) {
  const Case sometimes{.name = "toy/loop/odd",
                       .loop =
                           [](StepMarks& marks, const CaseContext&) {
                             torch::Tensor weight = torch::ones({1}).requires_grad_(true);
                             for (std::int64_t step = 0; marks.next_step(); ++step) {
                               marks.loaded({});
                               marks.forward_done(weight * 2);
                               if (step == 1) marks.optimizer_done();
                             }
                           },
                       .steps = toy_mlp().steps};
  const auto device = open_device("cpu");
  CaseRun run(sometimes, *device, {.steps = sometimes.steps});
  try {
    run.run(Pass::counts);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("step 1: the loop called marks.optimizer_done(), which its first step did not"));
    EXPECT_THAT(error.remedy(), HasSubstr("in every step"));
  }
}

TEST(LoopCase, RefusesALoopThatGoesOnAfterTheEnd) {
  EXPECT_EQ(complaint({.ignores_the_end = true}),
            "case toy/loop/tiny, pass counts: the loop went on after marks.next_step() had returned false");
  EXPECT_EQ(complaint({.ignores_the_end = true}, Pass::e2e), "nothing was thrown") << "and does not hang";
}

TEST(LoopCase, LetsTheLoopRunToItsEnd) {
  int ended = 0;
  record_of(toy_loop({.behind_loop = [&] { ++ended; }}), Group::exact);
  EXPECT_EQ(ended, 3) << "once in each pass";
}

TEST(LoopCase, EndsALoopThatAsksASecondTime) {
  std::int64_t epochs = 0;
  std::int64_t unwound = 0;
  const Case endless{.name = "toy/loop/epochs",
                     .loop =
                         [&](StepMarks& marks, const CaseContext&) {
                           struct Witness {
                             std::int64_t* unwound;
                             ~Witness() { ++*unwound; }
                           } const witness{&unwound};
                           for (;; ++epochs) train_mlp(marks, {});
                         },
                     .steps = toy_mlp().steps};
  record_of(endless, Group::exact);
  EXPECT_EQ(epochs, 3) << "one epoch in each pass, however many the loop has";
  EXPECT_EQ(unwound, 3);
}

TEST(LoopCase, ALoopThatAsksIsToldThatItIsDone) {
  std::int64_t rollouts = 0;
  std::int64_t ended = 0;
  const Case asking{.name = "toy/loop/rollouts",
                    .loop =
                        [&](StepMarks& marks, const CaseContext&) {
                          EXPECT_FALSE(marks.done());
                          for (; !marks.done(); ++rollouts) train_mlp(marks, {});
                          ++ended;
                        },
                    .steps = toy_mlp().steps};
  record_of(asking, Group::exact);
  EXPECT_EQ(rollouts, 3);
  EXPECT_EQ(ended, 3) << "code behind the loop runs";
}

TEST(LoopCase, AmountsThatNobodyDeclaresAreAbsent) {
  for (const char* metric : {"padded_tokens_per_step", "effective_tokens_per_step"}) {
    EXPECT_FALSE(clean_loop().counts->per_step.contains(metric)) << metric;
    EXPECT_THAT(clean_loop().absent.at(metric), HasSubstr("StepWork::")) << metric;
  }
  EXPECT_TRUE(clean_loop().counts->per_step.contains("samples_per_step"));
}

TEST(LoopCase, UnwindsALoopWhosePassFailed) {
  struct Witness {
    int* gone;
    ~Witness() { ++*gone; }
  };
  int gone = 0;
  const Case short_lived{.name = "toy/loop/short",
                         .loop =
                             [&](StepMarks& marks, const CaseContext&) {
                               const Witness witness{&gone};
                               marks.next_step();
                               marks.loaded({});
                               marks.optimizer_done();
                             },
                         .steps = toy_mlp().steps};
  const auto device = open_device("cpu");
  {
    CaseRun run(short_lived, *device, {.steps = short_lived.steps});
    EXPECT_THROW(run.run(Pass::counts), Error) << "no forward";
  }
  EXPECT_EQ(gone, 1);
}

}  // namespace
}  // namespace stepgate
