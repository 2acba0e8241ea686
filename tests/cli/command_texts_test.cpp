// The commands that a report offers: as short as they can be, and right in the folder where they are printed.
#include "cli/command_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli/command_line.h"
#include "cli/commands/command_gate.h"
#include "json/stored/calibration_json.h"
#include "support/sample_calibration.h"
#include "support/temporary_folder.h"
#include "support/working_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr const char* manifest =
    R"({"schema": {"name": "stepgate.manifest", "major": 1, "minor": 1}, "build_type": "Release",
        "policy_root": "policies", "baseline_root": "baselines", "cases": []})";

/// A program that a script starts is named by the script, whatever the folder of the test program.
class CommandTextsOf : public testing::Test {
 protected:
  CommandTextsOf() { source_.write("build/stepgate-manifest.json", manifest); }

  CommandTexts texts(const std::string& line) const {
    const auto options = options_of<GateCommand>(line);
    return command_texts(repeated_options(options.run), read_project(project_options(options.run)));
  }
  std::string gate(const std::string& line) const {
    return after_program(texts(line).gate("a/b/c", TierChoice::exact));
  }
  std::string accept(const std::string& line) const {
    return after_program(texts(line).accept("a/b/c", TierChoice::all));
  }
  fs::path root() const { return fs::canonical(source_.path()); }

  static std::string after_program(const std::string& command) { return command.substr(command.find("_test") + 6); }

  TemporaryFolder source_;
  WorkingFolder here_{source_.path()};
};

TEST_F(CommandTextsOf, WhatIsFoundWithoutAnOptionNeedsNone) {
  EXPECT_EQ(gate("gate"), "gate a/b/c --tier exact");
  EXPECT_EQ(gate("gate --build build --out build/stepgate-out"), "gate a/b/c --tier exact");
  EXPECT_EQ(gate("gate --build " + (root() / "build").string()), "gate a/b/c --tier exact");
  EXPECT_EQ(accept("gate --build build"), "baseline accept a/b/c --reason \"...\"");
  EXPECT_EQ(after_program(texts("gate").gate("a/b/c", TierChoice::all)), "gate a/b/c");
  EXPECT_EQ(after_program(texts("gate").accept("a/b/c", TierChoice::exact)),
            "baseline accept a/b/c --tier exact --reason \"...\"");
}

TEST_F(CommandTextsOf, AllCasesAreJudgedAgainstABuildThatTheReaderNames) {
  EXPECT_EQ(after_program(texts("gate").gate_all(TierChoice::timed, true)), "gate --tier timed --base-build DIR");
  EXPECT_EQ(after_program(texts("gate --runner-class a").gate_all(TierChoice::exact, false)),
            "gate --tier exact --runner-class a");
}

TEST_F(CommandTextsOf, OtherFoldersAreNamed) {
  source_.write("out/mine/stepgate-manifest.json", manifest);
  EXPECT_THAT(gate("gate --build out/mine"), HasSubstr("--build "));
  EXPECT_THAT(gate("gate --build out/mine"), Not(HasSubstr("--out")));
  EXPECT_THAT(accept("gate --out results"), HasSubstr("--out "));
}

TEST_F(CommandTextsOf, AllPathsAreRelativeOrAllAreAbsolute) {
  const TemporaryFolder other;
  const Variable script("STEPGATE_COMMAND", "run_test");
  EXPECT_EQ(accept("gate --out ./results --baseline-dir x/../mine"),
            "baseline accept a/b/c --reason \"...\" --out results --baseline-dir mine");
  EXPECT_EQ(accept("gate --out results --baseline-dir " + other.path().string()),
            "baseline accept a/b/c --reason \"...\" --out " + (root() / "results").string() + " --baseline-dir " +
                other.path().string());
}

TEST_F(CommandTextsOf, TheScriptOfABundleNamesItsBuild) {
  source_.write("bundle/stepgate-manifest.json", manifest);
  const Variable script("STEPGATE_COMMAND", "bundle/run_test");
  const Variable build("STEPGATE_MANIFEST_DIR", "bundle");
  EXPECT_EQ(gate("gate"), "gate a/b/c --tier exact");
  EXPECT_EQ(gate("gate --build build"), "gate a/b/c --tier exact --build build") << "the script names another";
}

TEST_F(CommandTextsOf, WordsThatTheShellWouldSplitAreQuoted) {
  const Variable script("STEPGATE_COMMAND", "/opt/my bundle/run_test");
  EXPECT_THAT(texts("gate").accept("a/b/c", TierChoice::all),
              testing::StartsWith("'/opt/my bundle/run_test' baseline accept"));
  EXPECT_THAT(accept("gate --out \"my results\""), EndsWith("--out 'my results'"));
}

TEST_F(CommandTextsOf, WhatDecidesTheMeasurementIsRepeated) {
  const std::string line =
      "gate --base-build build --timeout 90 --threads 2 --seed 7 --steps e2e=9 --request-rate 120 --malloc system "
      "--guard "
      "observe --knobs affinity "
      "--session-gap 5 --replicates 3 --exact-replicates 1 --pairs 8 --interleave processes --policy-dir policies";
  const std::string measuring =
      "--timeout 90 --threads 2 --seed 7 --steps e2e=9 --request-rate 120 --malloc system --guard observe "
      "--knobs affinity --session-gap 5 --replicates 3 --exact-replicates 1";
  const std::string once = gate(line);
  const std::string twice = after_program(texts(line).ab("a/b/c", 1));
  std::istringstream words(measuring);
  for (std::string option, value; words >> option >> value;) {
    EXPECT_THAT(once, HasSubstr(" " + option + " " + value));
    EXPECT_THAT(twice, HasSubstr(" " + option + " " + value));
  }
  EXPECT_THAT(once, HasSubstr(" --policy-dir "));
  EXPECT_THAT(once, Not(HasSubstr("--pairs"))) << "a gate without a second build has no pairs";
  EXPECT_THAT(twice, HasSubstr(" --pairs 8 --interleave processes"));
}

TEST(CommandTexts, QuoteOnlyWhatTheShellWouldRead) {
  EXPECT_EQ(shell_quoted("build/release-1/baselines"), "build/release-1/baselines");
  EXPECT_EQ(shell_quoted("/home/a user/base lines"), "'/home/a user/base lines'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quoted("$(reboot)"), "'$(reboot)'");
  EXPECT_EQ(shell_quoted(""), "''");
}

TEST(CommandTexts, RepeatTheVariablesThatWerePassed) {
  RepeatedOptions options;
  options.measuring.pass_env = {"MY_DATA", "MY_MODE"};
  Project project;
  project.manifest.path = "/build/stepgate-manifest.json";
  project.out = "/build/stepgate-out";
  const CommandTexts texts = command_texts(options, project);
  EXPECT_THAT(texts.gate("a/b/c", TierChoice::exact), testing::HasSubstr(" --pass-env MY_DATA --pass-env MY_MODE"));
  EXPECT_THAT(texts.ab("a/b/c", 1), testing::HasSubstr(" --pass-env MY_DATA"));
}

TEST_F(CommandTextsOf, AnEmulatedGpuIsNamedWhereItMeasuresAndItsClassWhereItIsStored) {
  source_.write("build/emulated_gpu/libstepgate_emulated_loader.so", "");
  source_.write("build/emulated_gpu/complete", "");
  const std::string line = "gate --device emulated:h100:2 --runner-class ci-small";
  EXPECT_EQ(gate(line), "gate a/b/c --tier exact --device emulated:h100:2");
  EXPECT_EQ(accept(line), "baseline accept a/b/c --reason \"...\" --runner-class emulated-h100");
  EXPECT_EQ(gate(line + " --hazards"), "gate a/b/c --tier exact --device emulated:h100:2 --hazards");
  EXPECT_EQ(accept(line + " --hazards"), accept(line));
  source_.write("h100.json", to_text(sample_calibration()));
  const std::string calibrated = line + " --calibration h100.json";
  EXPECT_EQ(gate(calibrated), "gate a/b/c --tier exact --device emulated:h100:2 --calibration " +
                                  (source_.path() / "h100.json").string());
  EXPECT_EQ(accept(calibrated), accept(line));
}

TEST_F(CommandTextsOf, AJudgementOfStoredResultsOffersToMeasureOnTheSameEmulatedGpu) {
  const Project project = read_project({.runner_class = "emulated-h100"});
  const auto gate_of = [&](const RepeatedOptions& options) {
    return after_program(command_texts(options, project).gate("a/b/c", TierChoice::exact));
  };
  EXPECT_EQ(gate_of({.runner_class = "emulated-h100", .device = EmulatedDevice{"h100", 2}}),
            "gate a/b/c --tier exact --device emulated:h100:2");
  EXPECT_EQ(gate_of({.runner_class = "emulated-h100"}), "gate a/b/c --tier exact --device emulated:h100")
      << "a class alone, which no run may have";
  const Project with_values = read_project({.runner_class = "emulated-h100-values"});
  EXPECT_EQ(after_program(command_texts({}, with_values).gate("a/b/c", TierChoice::exact)),
            "gate a/b/c --tier exact --device emulated:h100:values");
  EXPECT_EQ(after_program(command_texts({.runner_class = "emulated-h100"}, project).accept("a/b/c", TierChoice::all)),
            "baseline accept a/b/c --reason \"...\" --runner-class emulated-h100");
}

}  // namespace
}  // namespace stepgate
