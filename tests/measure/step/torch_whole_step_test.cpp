#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "measure/program/case/case_passes.h"
#include "measure/program/case/case_run.h"
#include "measure/torch_toys.h"

namespace stepgate {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::SizeIs;

RunRecord whole_record(const Case& test_case, Group group) {
  const auto device = open_device("cpu");
  CaseRun run(test_case, *device, {.steps = test_case.steps});
  for (const Pass pass : passes_of(group)) {
    if (can_run(test_case, pass, test_case.steps)) run.run(pass);
  }
  return run.take_record(group);
}

const RunRecord& exact_whole() {
  static const RunRecord record = whole_record(toy_whole_step(), Group::exact);
  return record;
}

TEST(WholeStepCase, TrainsAsItsEagerTwin) {
  const RunRecord twin = whole_record(toy_eager_twin(), Group::exact);
  EXPECT_THAT(exact_whole().numerics->loss, SizeIs(3));
  EXPECT_EQ(exact_whole().numerics->loss, twin.numerics->loss);
  EXPECT_EQ(exact_whole().numerics->parameter_digest, twin.numerics->parameter_digest);
  EXPECT_NE(exact_whole().numerics->loss.front(), exact_whole().numerics->loss.back()) << "the parameters change";
}

TEST(WholeStepCase, CountsItsWorkAsOneBoundary) {
  EXPECT_THAT(exact_whole().boundaries.names(), ElementsAre("data_wait", "h2d", "whole_step", "logging"));
  const auto& operators = exact_whole().counts->by_boundary.at("operators_per_step");
  EXPECT_GT(operators.at("whole_step"), 4 * 20);
  EXPECT_THAT(operators, Not(Contains(Key("forward"))));
  EXPECT_GT(exact_whole().memory->peak_by_boundary.at("whole_step"), 0);
  EXPECT_THAT(exact_whole().memory->series.at("resident_bytes"),
              Each(exact_whole().memory->series.at("resident_bytes").front()));
}

TEST(WholeStepCase, HasNoGradientNormsWhereItKeepsNoGradients) {
  EXPECT_THAT(exact_whole().numerics->grad_norm, IsEmpty());
  EXPECT_THAT(exact_whole().absent.at("grad_norm"), HasSubstr("keeps no gradients"));
}

TEST(WholeStepCase, GuardsTheGradientsThatTheStepLeaves) {
  const RunRecord keeping = whole_record(toy_whole_step(WholeFault::keeps_gradients), Group::exact);
  EXPECT_EQ(keeping.numerics->grad_norm, whole_record(toy_eager_twin(), Group::exact).numerics->grad_norm);
  EXPECT_THAT(keeping.absent, Not(Contains(Key("grad_norm"))));
}

TEST(WholeStepCase, DoesNotCountFlopsThatItCannotSee) {
  EXPECT_GT(exact_whole().counts->per_step.at("flops_per_step").front(), 0);
  const RunRecord hiding = whole_record(toy_whole_step(WholeFault::hides_operators), Group::exact);
  EXPECT_THAT(hiding.counts->per_step, Not(Contains(Key("flops_per_step"))));
  EXPECT_THAT(hiding.absent.at("flops_per_step"), HasSubstr("outside of LibTorch's operators"));
}

TEST(WholeStepCase, RecordsHowLongItsStepWasCompiled) {
  const RunRecord compiled = whole_record(toy_whole_step(WholeFault::hides_operators), Group::exact);
  EXPECT_EQ(compiled.fingerprint.at("compile_seconds"), "112");
  EXPECT_THAT(exact_whole().fingerprint, Not(Contains(Key("compile_seconds"))));
}

TEST(WholeStepCase, CountsTheGraphsThatAStepMakesAfterWarmUp) {
  // Two steps of warm-up, then four that count: the second of these makes a graph.
  const RunRecord late = whole_record(toy_whole_step(WholeFault::captures_late), Group::exact);
  EXPECT_THAT(late.counts->per_step.at("graphs_after_warmup"), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(late.counts->per_step.at("graph_kernel_nodes"), Each(17));
  EXPECT_THAT(late.counts->per_step.at("graph_memcpy_nodes"), Each(3));
  EXPECT_THAT(late.counts->per_step.at("graph_memset_nodes"), Each(2));
  EXPECT_THAT(late.counts->per_step.at("graph_pool_bytes"), Each(4096));
  EXPECT_THAT(late.counts->per_step.at("graph_recording_ns"), Each(5000));
  EXPECT_THAT(exact_whole().counts->per_step, Not(Contains(Key("graph_kernel_nodes"))));
  EXPECT_THAT(exact_whole().absent.at("graph_kernel_nodes"), HasSubstr("not a CUDA graph"));
}

TEST(WholeStepCase, NamesTheWholeStepWhereItHoldsGraphs) {
  const RunRecord holding = whole_record(toy_whole_step(WholeFault::holds_graphs), Group::exact);
  EXPECT_GT(holding.counts->by_boundary.at("held_graphs_per_step").at("whole_step"), 0);
}

TEST(WholeStepCase, TimesTheWholeStepAndNotItsParts) {
  const RunRecord timed = whole_record(toy_whole_step(), Group::timed);
  EXPECT_THAT(timed.timed, Contains(Key("e2e")));
  EXPECT_THAT(timed.timed, Contains(Key("phase")));
  EXPECT_THAT(timed.timed, Contains(Key("synthetic")));
  EXPECT_GT(timed.warmup->first_step_ns, 0);
  const auto whole = static_cast<std::size_t>(*timed.boundaries.find("whole_step"));
  EXPECT_GT(timed.timed.at("phase").steps.front().host_ns[whole], 0);
  for (const char* metric : {"forward_ns", "backward_ns", "optimizer_ns"}) {
    EXPECT_EQ(timed.absent.at(metric), "one compiled step");
  }
}

TEST(WholeStepCase, AProfileLeavesTheOptimizerAlone) {
  const ProfileRun run = whole_record(toy_whole_step(), Group::profile).profile.value();
  for (const char* name : {"optimizer-skipped", "optimizer-fused"}) {
    EXPECT_THAT(run.absent.at(name), HasSubstr("one compiled step")) << name;
  }
  EXPECT_THAT(run.absent, Not(Contains(Key("synthetic-batch"))));
}

TEST(WholeStepCase, NamesTheBoundaryThatGivesNoLoss) {
  const auto device = open_device("cpu");
  const Case broken = toy_whole_step(WholeFault::no_number);
  CaseRun run(broken, *device, {.steps = broken.steps});
  try {
    run.run(Pass::numerics);
    FAIL() << "nothing was thrown";
  } catch (const std::exception& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("WholeStepWorkload::step returned a tensor of 2048 elements"));
  }
}

}  // namespace
}  // namespace stepgate
