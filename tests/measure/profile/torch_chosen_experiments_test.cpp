// A process of group profile that runs some experiments alone. No test compares two times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "measure/profile/experiments/step_variants.h"
#include "measure/program/case/case_passes.h"
#include "measure/program/case/case_run.h"
#include "measure/torch_toys.h"

namespace stepgate {
namespace {

using testing::ElementsAre;

std::vector<std::string> names_left(const std::vector<Experiment>& chosen) {
  StepVariants variants;
  for (const char* name : {"baseline", "delayed-loader", "delayed-loader", "optimizer-skipped", "logging-off"}) {
    variants.variants.push_back({.name = name});
  }
  keep_chosen(chosen, variants);
  std::vector<std::string> names;
  for (const StepVariant& variant : variants.variants) names.push_back(variant.name);
  return names;
}

TEST(ChosenExperiments, StayBesideTheUnchangedStep) {
  EXPECT_THAT(names_left({Experiment::logging_off}), ElementsAre("baseline", "logging-off"));
  EXPECT_THAT(names_left({Experiment::delayed_loader}), ElementsAre("baseline", "delayed-loader", "delayed-loader"));
  EXPECT_THAT(names_left({Experiment::busy_core}), ElementsAre("baseline")) << "what the step does not allow";
  EXPECT_EQ(names_left({}).size(), 5u) << "none chosen: all";
}

TEST(ChosenExperiments, RunAlone) {
  Case toy = toy_mlp();
  toy.steps.profile = 20;
  const auto device = open_device("cpu");
  CaseRun run(toy, *device,
              {.steps = toy.steps,
               .profile = {.parts = ProfileParts::experiments, .experiments = {Experiment::optimizer_skipped}}});
  for (const Pass pass : passes_of(Group::profile)) run.run(pass);
  const RunRecord record = run.take_record(Group::profile);
  std::set<std::string> variants;
  for (const VariantBlock& block : record.profile->blocks) variants.insert(block.variant);
  EXPECT_THAT(variants, ElementsAre("baseline", "optimizer-skipped"));
}

}  // namespace
}  // namespace stepgate
