#include "cli/options/parse_options.h"

#include <gmock/gmock.h>

#include "cli/command_line.h"
#include "cli/commands/command_ab.h"
#include "cli/commands/command_baseline.h"
#include "cli/commands/command_check.h"
#include "cli/commands/command_gate.h"
#include "cli/studies/command_ablate.h"
#include "cli/studies/command_doctor.h"
#include "cli/studies/command_profile.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(ParseOptions, CommandArgumentsAndOptionsInAnyOrder) {
  const std::string line = "gate --tier exact a/b/c --out=x d/e/f --json";
  EXPECT_EQ(command_line_of(line).command, "gate");
  const auto o = options_of<GateCommand>(line);
  EXPECT_THAT(o.arguments, ElementsAre("a/b/c", "d/e/f"));
  EXPECT_EQ(o.run.tier, TierChoice::exact);
  EXPECT_EQ(o.run.places.measured.out, "x");
  EXPECT_TRUE(o.run.output.json);
}

TEST(ParseOptions, BaselineCommandsAreTwoWords) {
  EXPECT_EQ(command_line_of("baseline accept a/b/c --reason \"two words\"").command, "baseline accept");
  EXPECT_EQ(options_of<BaselineAcceptCommand>("baseline accept a/b/c --reason \"two words\"").reason, "two words");
  EXPECT_THAT(refusal_of("baseline"), HasSubstr("accept, diff, lint, show"));
  EXPECT_THAT(refusal_of("baseline acept"), HasSubstr("did you mean 'stepgate baseline accept'"));
  EXPECT_THAT(refusal_of("accept"), HasSubstr("did you mean 'stepgate baseline accept'"));
}

TEST(ParseOptions, HelpIsAnOptionAndAWord) {
  EXPECT_TRUE(command_line_of("gate --help").general.help);
  EXPECT_TRUE(command_line_of("baseline --help").general.help);
  for (const char* line : {"-h", "gate -h", "baseline -h", "baseline accept -h", "help gate"})
    EXPECT_TRUE(command_line_of(line).general.help) << line;
  const CommandLine o = command_line_of("help gate");
  EXPECT_EQ(o.command, "gate");
  EXPECT_TRUE(o.general.help);
  EXPECT_TRUE(command_line_of("help").general.help);
  EXPECT_TRUE(command_line_of("--version").general.version);
}

TEST(ParseOptions, UnknownNamesAreRefusedWithTheNearest) {
  EXPECT_THAT(refusal_of("gaet"), AllOf(HasSubstr("'gaet'"), HasSubstr("did you mean 'stepgate gate'")));
  EXPECT_THAT(
      refusal_of("gate --replicate 3"),
      AllOf(HasSubstr("'--replicate'"), HasSubstr("did you mean '--replicates'"), HasSubstr("stepgate gate --help")));
  EXPECT_THAT(refusal_of("gate -x"), HasSubstr("-x"));
  EXPECT_THAT(refusal_of("--build x list"), HasSubstr("the command is missing before '--build'"));
}

TEST(ParseOptions, AnOptionOfAnotherCommandNamesTheCommandsThatTakeIt) {
  EXPECT_EQ(
      refusal_of("gate --vary a=1,2"),
      "gate does not take --vary | leave it out, or use a command that takes it (plan sweep, sweep); options of gate: "
      "stepgate gate --help");
  EXPECT_THAT(refusal_of("report --replicates 3"), HasSubstr("(gate, run, ab, plan sweep, sweep, profile)"));
  EXPECT_THAT(refusal_of("list --out x"), HasSubstr("does not take --out"));
  EXPECT_THAT(refusal_of("run --ledger"), HasSubstr("(report)"));
}

TEST(ParseOptions, AnOptionIsGivenOnceUnlessItRepeats) {
  EXPECT_THAT(refusal_of("gate --tier exact --tier timed"), HasSubstr("--tier is given twice"));
  EXPECT_THAT(options_of<GateCommand>("gate --filter a --filter b").run.filters, ElementsAre("a", "b"));
}

TEST(ParseOptions, AMissingValueSaysWhatIsExpected) {
  EXPECT_THAT(refusal_of("gate --tier"), AllOf(HasSubstr("--tier needs a value"), HasSubstr("exact, timed, all")));
  EXPECT_THAT(refusal_of("baseline accept --reason"), HasSubstr("--reason needs a value"));
}

TEST(ParseOptions, NewMetricsChooseTheCasesThemselves) {
  EXPECT_TRUE(options_of<BaselineAcceptCommand>("baseline accept --new-metrics --reason new").new_metrics);
  EXPECT_THAT(refusal_of("baseline accept a/b/c --new-metrics --reason new"), HasSubstr("leave out the names"));
  EXPECT_THAT(refusal_of("baseline accept --all --new-metrics --reason new"), HasSubstr("leave out --new-metrics"));
}

TEST(ParseOptions, AnOptionIsNotTheValueOfAnother) {
  EXPECT_EQ(
      refusal_of("gate --html --quiet"),
      "--html needs a value, and '--quiet' behind it looks like an option | give the value first; if '--quiet' is "
      "meant, write --html=--quiet");
  EXPECT_THAT(refusal_of("gate --filter --tier exact"), HasSubstr("--filter needs a value"));
  EXPECT_THAT(refusal_of("gate --out -h"), HasSubstr("--out needs a value"));
  EXPECT_EQ(options_of<GateCommand>("gate --html=--quiet").run.output.html, "--quiet");
  EXPECT_EQ(options_of<GateCommand>("gate --out -x").run.places.measured.out, "-x");
}

TEST(ParseOptions, WithoutACommandOnlyNamesAreChecked) {
  EXPECT_THAT(refusal_of("--help --tiers all"), HasSubstr("did you mean '--tier'"));
  EXPECT_EQ(refusal_of("--help --tier all"), "");
  EXPECT_THAT(refusal_of("baseline --help --tier exact"), HasSubstr("baseline does not take --tier"));
}

TEST(ParseOptions, ASwitchTakesNoValue) {
  EXPECT_THAT(refusal_of("gate --json=yes"), HasSubstr("--json takes no value"));
}

TEST(ParseOptions, OptionsThatNeedAnother) {
  EXPECT_THAT(refusal_of("ab --seed-steps 100"), HasSubstr("add --seeds"));
  EXPECT_THAT(refusal_of("ab --seeds 8 --tier timed"), HasSubstr("measures none"));
  EXPECT_THAT(refusal_of("gate --gpu-clock 1000"), HasSubstr("--gpu-clock needs --guard host, and --guard is process"));
  EXPECT_THAT(refusal_of("report --ledger --json"), HasSubstr("--ledger"));
  EXPECT_THAT(refusal_of("report --twin a/b/eager --json"), HasSubstr("--twin"));
  EXPECT_THAT(refusal_of("sweep a/b/c --memory 5"), HasSubstr("add --law saved_bytes"));
  EXPECT_THAT(refusal_of("sweep a/b/c --law saved_bytes --json"), HasSubstr("--law writes no JSON"));
  for (const char* option : {"--markdown a.md", "--junit a.xml", "--html a.html", "--github"}) {
    EXPECT_THAT(refusal_of(std::string("report --distribution ") + option), HasSubstr("--distribution")) << option;
  }
  EXPECT_EQ(refusal_of("report --distribution --json"), "");
  EXPECT_THAT(refusal_of("sweep a/b/c --law saved_bytes --html a.html"), HasSubstr("there is no page"));
  EXPECT_THAT(refusal_of("profile a/b/c --base-build b --html a.html"), HasSubstr("there is no page"));
  EXPECT_THAT(refusal_of("gate --steps e2f=3"), HasSubstr("--steps"));
  for (const char* option : {"--pairs 4", "--interleave windows", "--order-seed 5", "--budget 60"}) {
    EXPECT_THAT(refusal_of(std::string("gate ") + option), HasSubstr("--base-build DIR")) << option;
    EXPECT_EQ(refusal_of(std::string("gate --base-build b ") + option), "") << option;
  }
}

TEST(ParseOptions, AProfileOfTwoBuildsTakesNoOptionOfOneBuild) {
  EXPECT_EQ(options_of<ProfileCommand>("profile a/b/c --base-build b --order-seed 5 --json").base_build, "b");
  for (const char* option : {"--phase kind", "--prove off", "--replicates 8", "--schedule none", "--sort calls",
                             "--by line", "--rows 5", "--checklist", "--smoke", "--trace t.json"}) {
    EXPECT_THAT(refusal_of(std::string("profile --base-build b ") + option), HasSubstr("leave out --base-build"))
        << option;
    EXPECT_EQ(refusal_of(std::string("profile ") + option), "") << option;
  }
  EXPECT_EQ(refusal_of("ab --base-build b --replicates 8"), "");
  EXPECT_THAT(refusal_of("profile a/b/c --order-seed 5"), HasSubstr("profile measures no pairs without it"));
}

TEST(ParseOptions, ATraceTakesNoOptionOfAProfile) {
  for (const char* option : {"--sort calls", "--by line", "--rows 5", "--checklist", "--smoke"}) {
    EXPECT_THAT(refusal_of(std::string("profile --trace t.json ") + option), HasSubstr("profile a case")) << option;
  }
  EXPECT_EQ(refusal_of("profile --trace t.json"), "");
}

TEST(ParseOptions, PairsAreThoseOfTheInterimAnalyses) {
  EXPECT_THAT(refusal_of("ab --pairs 5"), AllOf(HasSubstr("--pairs is 5"), HasSubstr("4, 6, 8, 12, 16")));
  EXPECT_EQ(options_of<AbCommand>("ab --pairs 12").run.pairs.pairs, 12);
  EXPECT_EQ(options_of<AblateCommand>("ablate --pairs 5").pairs, 5);
  EXPECT_THAT(refusal_of("ablate --pairs 3"), HasSubstr("from 4"));
}

TEST(Environment, AVariableSetsItsOptionAndAFlagWins) {
  const Variable out("STEPGATE_OUT", "from-variable");
  EXPECT_EQ(options_of<GateCommand>("gate").run.places.measured.out, "from-variable");
  EXPECT_EQ(options_of<GateCommand>("gate --out from-flag").run.places.measured.out, "from-flag");
}

TEST(Environment, AnEmptyVariableIsNotSet) {
  const Variable out("STEPGATE_OUT", "");
  EXPECT_EQ(options_of<GateCommand>("gate").run.places.measured.out, "");
}

TEST(Environment, ABadValueNamesTheVariableUnlessAFlagReplacesIt) {
  const Variable replicates("STEPGATE_REPLICATES", "many");
  EXPECT_THAT(refusal_of("gate"), HasSubstr("STEPGATE_REPLICATES does not accept 'many'"));
  EXPECT_EQ(options_of<GateCommand>("gate --replicates 3").run.replicates, 3);
}

TEST(Environment, ACommandIgnoresVariablesOfOptionsThatItDoesNotTake) {
  const Variable replicates("STEPGATE_REPLICATES", "many");
  EXPECT_EQ(refusal_of("list"), "");
}

TEST(Environment, ASwitchIsOnOrOff) {
  for (const char* on : {"1", "true", "yes", "on", "TRUE"}) {
    const Variable required("STEPGATE_REQUIRE_BASELINE", on);
    EXPECT_TRUE(options_of<GateCommand>("gate").run.judging.require_baseline) << on;
  }
  for (const char* off : {"0", "false", "no", "off", "", "False"}) {
    const Variable required("STEPGATE_REQUIRE_BASELINE", off);
    EXPECT_FALSE(options_of<GateCommand>("gate").run.judging.require_baseline) << off;
    EXPECT_TRUE(options_of<GateCommand>("gate --require-baseline").run.judging.require_baseline) << off;
  }
}

TEST(Environment, ASwitchRefusesAnyOtherText) {
  const Variable required("STEPGATE_REQUIRE_GPU", "maybe");
  EXPECT_EQ(refusal_of("gate"),
            "STEPGATE_REQUIRE_GPU does not accept 'maybe' | give 1, true, yes or on; or 0, false, no, off or nothing");
  EXPECT_EQ(refusal_of("gate --require-gpu"), "");
  EXPECT_EQ(refusal_of("list"), "") << "it does not take the option";
}

TEST(Environment, NamesTheCasesThatARunnerNeverRuns) {
  const Variable skipped("STEPGATE_MAY_SKIP", "mine/mlp/two,mine/mlp/large");
  EXPECT_EQ(options_of<GateCommand>("gate").run.judging.may_skip, "mine/mlp/two,mine/mlp/large");
  EXPECT_EQ(options_of<GateCommand>("gate --may-skip mine/mlp/two").run.judging.may_skip, "mine/mlp/two");
}

TEST(Environment, HeadBuildWinsOverTheManifestVariable) {
  const Variable build("STEPGATE_MANIFEST_DIR", "from-variable");
  EXPECT_EQ(options_of<AbCommand>("ab --base-build a --head-build b").run.places.measured.build, "b");
}

TEST(ParseOptions, AnEmulatedDeviceIsAValueOrAWord) {
  for (const char* line : {"gate --device emulated:h100:2", "gate --device=emulated:h100:2"}) {
    const auto device = options_of<GateCommand>(line).run.device;
    ASSERT_TRUE(device) << line;
    EXPECT_EQ(device->model, "h100");
    EXPECT_EQ(device->devices, 2);
  }
  EXPECT_THAT(options_of<GateCommand>("gate --device emulated:t4 a/b/c").arguments, ElementsAre("a/b/c"));
  EXPECT_THAT(options_of<GateCommand>("gate -- --device").arguments, ElementsAre("--device"));
  EXPECT_FALSE(options_of<GateCommand>("gate").run.device);
}

TEST(ParseOptions, HazardsAreLookedForOnAnEmulatedGpu) {
  EXPECT_TRUE(options_of<GateCommand>("gate --hazards --device emulated:h100").run.seeks_hazards);
  EXPECT_FALSE(options_of<GateCommand>("gate --device emulated:h100").run.seeks_hazards);
  EXPECT_THAT(refusal_of("gate --hazards"), HasSubstr("found on an emulated GPU alone"));
  EXPECT_THAT(refusal_of("ab --hazards --device emulated:h100 --tier exact"), HasSubstr("ab does not take --hazards"));
}

TEST(ParseOptions, ACalibrationIsOfAnEmulatedGpu) {
  const std::string emulated = " --calibration h100.json --device emulated:h100";
  EXPECT_EQ(options_of<GateCommand>("gate" + emulated).run.calibration, "h100.json");
  EXPECT_EQ(options_of<CheckCommand>("check" + emulated).calibration, "h100.json");
  EXPECT_THAT(refusal_of("gate --calibration h100.json"), HasSubstr("kernels of libraries are counted"));
  EXPECT_THAT(refusal_of("check --calibration h100.json"), HasSubstr("kernels of libraries are counted"));
  EXPECT_THAT(refusal_of("run --calibration h100.json"), HasSubstr("run does not take --calibration"));
}

TEST(ParseOptions, DoctorMakesACalibrationFromATrace) {
  const auto doctor = options_of<DoctorCommand>("doctor --device --calibration h100.json --trace t.json.gz");
  EXPECT_EQ(doctor.calibration, "h100.json");
  EXPECT_EQ(doctor.trace, "t.json.gz");
  EXPECT_THAT(refusal_of("doctor --device --calibration h100.json"), HasSubstr("--trace is not given"));
  EXPECT_THAT(refusal_of("doctor --device --trace t.json.gz"), HasSubstr("--calibration is made from"));
  const std::string both = " --calibration h100.json --trace t.json.gz";
  for (const char* other : {"doctor", "doctor --device emulated:h100", "doctor --device --timeout 5"})
    EXPECT_THAT(refusal_of(other + both), HasSubstr("runs nothing")) << other;
}

TEST(ParseOptions, DoctorsDeviceMayStandAlone) {
  EXPECT_FALSE(options_of<DoctorCommand>("doctor").device.examined);
  for (const char* line : {"doctor --device", "doctor --device --json"}) {
    const auto device = options_of<DoctorCommand>(line).device;
    EXPECT_TRUE(device.examined) << line;
    EXPECT_FALSE(device.emulated) << line;
  }
  const auto emulated = options_of<DoctorCommand>("doctor --device emulated:l4 --timeout 5").device;
  EXPECT_TRUE(emulated.examined);
  ASSERT_TRUE(emulated.emulated);
  EXPECT_EQ(emulated.emulated->model, "l4");
  for (const char* line : {"gate --device", "gate --device --json", "run --device"})
    EXPECT_THAT(refusal_of(line), AllOf(HasSubstr("--device needs a value"), HasSubstr("h100, h200, a100, l4, t4")))
        << line;
}

TEST(ParseOptions, DoctorTakesCasesOnAnEmulatedGpu) {
  const auto asked = options_of<DoctorCommand>("doctor a/b/c --device emulated:h100 --build b --timeout 9");
  EXPECT_THAT(asked.arguments, ElementsAre("a/b/c"));
  EXPECT_EQ(asked.build, "b");
  EXPECT_THAT(refusal_of("doctor --device emulated:h100 --build b"), HasSubstr("--device examines a GPU"));
}

TEST(ParseOptions, AnEmulatedGpuMayComputeValues) {
  EXPECT_TRUE(options_of<GateCommand>("gate --device emulated:h100:2:values").run.device->values);
  EXPECT_FALSE(options_of<GateCommand>("gate --device emulated:h100:2").run.device->values);
}

TEST(ParseOptions, ADeviceThatIsNotEmulatedIsNoValue) {
  EXPECT_THAT(refusal_of("gate --device cuda"),
              AllOf(HasSubstr("--device does not accept 'cuda'"), HasSubstr("emulated:MODEL:N")));
  EXPECT_THAT(refusal_of("doctor --device language/char_lm/tiny"), HasSubstr("does not accept"));
  EXPECT_THAT(refusal_of("gate --device emulated:h1000"), HasSubstr("'h1000' is no model of the emulated GPU"));
  EXPECT_THAT(refusal_of("run --device emulated:h100:0"), HasSubstr("'0' is no number of devices"));
  EXPECT_THAT(refusal_of("sweep a/b/c --device emulated:h100"), HasSubstr("sweep does not take --device"));
}

}  // namespace
}  // namespace stepgate
