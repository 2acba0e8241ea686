#include "measure/step/loop_facts.h"

#include <gtest/gtest.h>

#include "core/metric.h"
#include "measure/program/case/case_passes.h"

namespace stepgate {
namespace {

LoopFacts complete() { return {.tensors_given = true, .parameters_given = true}; }

LoopFacts without(std::initializer_list<Boundary> boundaries) {
  LoopFacts facts = complete();
  for (const Boundary boundary : boundaries) facts.unmarked.set(static_cast<std::size_t>(boundary));
  return facts;
}

TEST(LoopFacts, NameOnlyMetricsThatExist) {
  LoopFacts nothing = without({Boundary::h2d, Boundary::backward, Boundary::optimizer});
  nothing.tensors_given = nothing.parameters_given = false;
  for (const Group group : {Group::timed, Group::exact}) {
    for (const auto& [metric, reason] : absent_in_loop(group, nothing)) {
      EXPECT_NE(find_metric(metric), nullptr) << metric;
      EXPECT_FALSE(reason.empty()) << metric;
    }
  }
}

TEST(LoopFacts, UnmarkedTimeIsPartOfTheNextMark) {
  const auto absent = absent_in_loop(Group::timed, without({Boundary::backward}));
  EXPECT_EQ(absent.at("backward_ns"), "the loop does not mark backward: its time is part of optimizer");
  EXPECT_FALSE(absent.contains("forward_ns"));
  const auto both = absent_in_loop(Group::timed, without({Boundary::backward, Boundary::optimizer}));
  EXPECT_EQ(both.at("backward_ns"), "the loop does not mark backward: its time is part of logging");
  EXPECT_FALSE(absent_in_loop(Group::timed, complete()).contains("backward_ns"));
}

TEST(LoopFacts, UnmarkedTimeMayBePartOfABoundaryOfTheLoopsOwn) {
  LoopFacts facts = without({Boundary::h2d});
  facts.boundaries.insert(1, "critic");  // between loaded() and forward_done(): the copy may be in either
  EXPECT_EQ(absent_in_loop(Group::timed, facts).at("h2d_ns"),
            "the loop does not mark h2d: its time is part of critic or forward");
  facts.boundaries = StepBoundaries({"data_wait", "h2d", "critic", "forward", "backward", "optimizer", "logging"});
  EXPECT_EQ(absent_in_loop(Group::timed, facts).at("h2d_ns"), "the loop does not mark h2d: its time is part of critic");
}

TEST(LoopFacts, GradientNormNeedsParametersAndTheMomentBeforeTheOptimizer) {
  EXPECT_FALSE(absent_in_loop(Group::exact, complete()).contains("grad_norm"));
  EXPECT_TRUE(absent_in_loop(Group::exact, without({Boundary::backward})).contains("grad_norm"));
  LoopFacts silent = complete();
  silent.parameters_given = false;
  EXPECT_EQ(absent_in_loop(Group::exact, silent).at("grad_norm"), "the loop did not call marks.parameters()");
}

TEST(LoopFacts, ALoopSavesItsCheckpointsItself) {
  EXPECT_TRUE(unsaved_in_loop(Group::timed, {}).empty()) << "nobody asks for them";
  EXPECT_TRUE(unsaved_in_loop(Group::timed, {.checkpoint = 4}).contains("checkpoint_save_ns"));
  EXPECT_TRUE(unsaved_in_loop(Group::exact, {.checkpoint = 4}).empty());
  EXPECT_TRUE(unsaved_in_loop(Group::exact, {.checkpoint_bytes = 2}).contains("checkpoint_bytes"));
}

TEST(LoopFacts, AbsentIsNotZero) {
  RunRecord record;
  record.counts = WorkCounts{};
  record.counts->per_step["h2d_copies_per_step"] = {0};
  record.counts->per_step["operators_per_step"] = {7};
  record.counts->by_boundary["h2d_copies_per_step"]["h2d"] = 0;
  record.numerics = NumericTrace{.loss = {1}, .grad_norm = {0}};
  record.absent["kernels_per_step"] = "no GPU";
  declare_absent({{"h2d_copies_per_step", "untold"}, {"grad_norm", "untold"}}, record);
  EXPECT_FALSE(record.counts->per_step.contains("h2d_copies_per_step"));
  EXPECT_FALSE(record.counts->by_boundary.contains("h2d_copies_per_step"));
  EXPECT_TRUE(record.counts->per_step.contains("operators_per_step"));
  EXPECT_TRUE(record.numerics->grad_norm.empty());
  EXPECT_EQ(record.numerics->loss.size(), 1U);
  EXPECT_EQ(record.absent.at("grad_norm"), "untold");
  EXPECT_EQ(record.absent.at("kernels_per_step"), "no GPU");
}

TEST(LoopFacts, PassesWithoutTheLoopAroundThemCannotRun) {
  Case loop;
  loop.loop = [](StepMarks&, const CaseContext&) {};
  for (const Pass pass : {Pass::e2e, Pass::phase, Pass::counts, Pass::memory, Pass::numerics}) {
    EXPECT_TRUE(can_run(loop, pass, loop.steps)) << name_of(pass);
  }
  for (const Pass pass : {Pass::synthetic, Pass::loader, Pass::h2d, Pass::logging}) {
    EXPECT_FALSE(can_run(loop, pass, loop.steps)) << name_of(pass);
    EXPECT_TRUE(can_run(Case{}, pass, loop.steps)) << name_of(pass);
  }
}

}  // namespace
}  // namespace stepgate
