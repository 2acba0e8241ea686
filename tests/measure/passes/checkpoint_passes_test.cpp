#include "measure/passes/checkpoint_passes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/error.h"
#include "measure/scripts.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using testing::ElementsAre;

TEST(CheckpointPasses, TimesEachSaveAndLeavesNoFile) {
  const TemporaryFolder temporary;
  FakeBackend backend(test::like_cpu);
  ScriptedStep step(backend, {test::host_step(3)});
  step.script_saves({{.host_ns = 900, .bytes = 10}, {.host_ns = 700, .bytes = 12}});
  TimedRun run{step, backend, {.checkpoint = 3}, {7}};
  const auto saves = run_checkpoint(run, {.beside = temporary.path() / "record.json"});

  ASSERT_TRUE(saves);
  EXPECT_THAT(saves->save_ns, ElementsAre(900, 700, 700));
  EXPECT_THAT(saves->bytes, ElementsAre(10, 12, 12));
  EXPECT_TRUE(std::filesystem::is_empty(temporary.path()));
}

TEST(CheckpointPasses, QueuedWorkIsNoPartOfASave) {
  const TemporaryFolder temporary;
  FakeBackend backend;
  ScriptedStep step(backend, {test::queued_step()});
  step.script_saves({{.host_ns = 900, .bytes = 10}});
  step.run(Boundary::forward, 0);  // 100 ns on the device
  TimedRun run{step, backend, {.checkpoint = 1}, {7}};
  const auto saves = run_checkpoint(run, {.beside = temporary.path() / "record.json"});
  ASSERT_TRUE(saves);
  EXPECT_THAT(saves->save_ns, ElementsAre(900));
}

TEST(CheckpointPasses, BytesAreMeasuredOnceTheOptimizerHasItsState) {
  const TemporaryFolder temporary;
  FakeBackend backend;
  ScriptedStep step(backend, {test::queued_step()});
  step.script_saves({{.bytes = 4096}});
  std::vector<std::string> calls;
  backend.observe([&](const FakeCall& call) {
    if (call.what == "optimizer" || call.what == "save") calls.emplace_back(call.what);
  });
  const auto saves = run_checkpoint_bytes(step, {.checkpoint_bytes = 2, .exact_warmup = 2},
                                          {.beside = temporary.path() / "record.json"});
  backend.observe({});
  ASSERT_TRUE(saves);
  EXPECT_THAT(calls, ElementsAre("optimizer", "optimizer", "save", "save"));
  EXPECT_THAT(saves->bytes, ElementsAre(4096, 4096));
  EXPECT_TRUE(saves->save_ns.empty());
}

TEST(CheckpointPasses, AStepThatSavesNoneIsAbsent) {
  const TemporaryFolder temporary;
  FakeBackend backend;
  ScriptedStep step(backend, {test::queued_step()});
  TimedRun run{step, backend, {.checkpoint = 1}, {7}};
  EXPECT_FALSE(run_checkpoint(run, {.beside = temporary.path() / "record.json"}));
  EXPECT_FALSE(run_checkpoint_bytes(step, {.checkpoint_bytes = 1}, {.beside = temporary.path() / "record.json"}));
}

TEST(CheckpointPasses, ASaveWithoutAFileIsAnErrorUnlessAnotherRankMayHaveWrittenIt) {
  const TemporaryFolder temporary;
  FakeBackend backend;
  ScriptedStep step(backend, {test::queued_step()});
  step.script_saves({{.host_ns = 1}});
  TimedRun run{step, backend, {.checkpoint = 1}, {7}};
  EXPECT_THROW(run_checkpoint(run, {.beside = temporary.path() / "record.json"}), Error);
  const auto saves = run_checkpoint(run, {.beside = temporary.path() / "record.json", .may_be_empty = true});
  ASSERT_TRUE(saves);
  EXPECT_THAT(saves->bytes, ElementsAre(0));
}

}  // namespace
}  // namespace stepgate
