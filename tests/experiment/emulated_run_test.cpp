// What a run on an emulated GPU takes, and where its results lie.
#include "experiment/plan/emulated_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/error.h"
#include "experiment/fake_build.h"
#include "experiment/measure_cases.h"
#include "experiment/plan/case_plan.h"
#include "experiment/plan/emulated_cases.h"

namespace stepgate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// "what | next" of the error; "" where none came.
std::string error_of_call(const std::function<void()>& call, ErrorKind kind = ErrorKind::usage) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return std::string(error.what()) + " | " + error.remedy();
  }
  return "";
}

MeasurableCases three_devices() {
  MeasurableCases chosen;
  chosen.cases = {{.name = "language/char_lm/tiny", .suite = "language", .program = "p"},
                  {.name = "language/char_lm/gpu_small", .suite = "language", .program = "p", .device = Device::cuda},
                  {.name = "vision/digits_cnn/tiny", .suite = "vision", .program = "p"}};
  return chosen;
}

Project emulated_project() {
  Project project;
  project.emulated = EmulatedGpu{.device = {"h100", 2}, .folder = "/b/emulated_gpu", .settings = {}};
  project.runner_class = runner_class_of(project.emulated->device);
  return project;
}

/// With a case for a GPU and, if `built`, with what the target emulated_gpu writes. The folder has no driver.
class EmulatedBuild : public testing::Test {
 protected:
  EmulatedBuild() {
    const auto& folder = build_.program().folder();
    folder.write("stepgate-manifest.json", fmt::format(R"({{
  "schema": {{"name": "stepgate.manifest", "major": 1, "minor": 0}},
  "build_type": "Release",
  "policy_root": "policies",
  "baseline_root": "baselines",
  "cases": [{{"name": "{}", "suite": "fake", "program": "{}", "device": "cuda"}}]
}}
)",
                                                       fake_case, build_.program().path().string()));
  }

  void build_emulation() const {
    build_.program().folder().write("emulated_gpu/libstepgate_emulated_loader.so", "");
    build_.program().folder().write("emulated_gpu/complete", "");
  }

  Project read(const std::string& runner_class = "local") const {
    return read_project({.build = build_.root(),
                         .out = build_.root() / "out",
                         .runner_class = runner_class,
                         .device = EmulatedDevice{"h100", 2}});
  }

  FakeBuild build_{"good"};
};

TEST(EmulatedRun, LeavesOutCasesForTheCpuAndSaysSo) {
  MeasurableCases chosen = three_devices();
  keep_emulated_cases(emulated_project(), {}, chosen);
  ASSERT_EQ(chosen.cases.size(), 1u);
  EXPECT_EQ(chosen.cases.front().name, "language/char_lm/gpu_small");
  std::vector<std::string> notices;
  for (const Notice& notice : chosen.notices) notices.push_back(notice.text);
  EXPECT_THAT(notices, ElementsAre("--device emulated:h100:2: the exact half alone: an emulated GPU has no times",
                                   "--device emulated:h100:2: 2 cases for the CPU left out"));
}

TEST(EmulatedRun, ANamedCaseForTheCpuIsRefusedBesideOthersToo) {
  const Selection selection{.names = {"language/char_lm/gpu_small", "vision/digits_cnn/tiny"}};
  const std::string refused = error_of_call([&] {
    MeasurableCases chosen = three_devices();
    keep_emulated_cases(emulated_project(), selection, chosen);
  });
  EXPECT_THAT(refused, HasSubstr("vision/digits_cnn/tiny runs on the CPU"));
  EXPECT_THAT(refused, HasSubstr("stepgate list"));
}

TEST(EmulatedRun, NothingForAGpuIsRefused) {
  MeasurableCases chosen = three_devices();
  std::erase_if(chosen.cases, [](const ManifestCase& entry) { return entry.device == Device::cuda; });
  EXPECT_THAT(error_of_call([&] { keep_emulated_cases(emulated_project(), {}, chosen); }),
              HasSubstr("none of the chosen cases is for a GPU"));
}

TEST(EmulatedRun, ARealRunKeepsAllCases) {
  MeasurableCases chosen = three_devices();
  keep_emulated_cases(Project{}, {.names = {"vision/digits_cnn/tiny"}}, chosen);
  EXPECT_EQ(chosen.cases.size(), 3u);
  EXPECT_THAT(chosen.notices, IsEmpty());
}

TEST(EmulatedRun, TheClassIsThatOfTheModelWhateverTheNumber) {
  EXPECT_EQ(runner_class_of({"h100", 1}), "emulated-h100");
  EXPECT_EQ(runner_class_of({"h100", 8}), "emulated-h100");
  EXPECT_EQ(runner_class_of({"h100", 8, true}), "emulated-h100-values");
  EXPECT_FALSE(emulated_device_of_class("h100"));
  for (const char* name : {"emulated-h100", "emulated-h100-values"}) {
    Measurement measurement;
    measurement.runner_class = name;
    EXPECT_EQ(runner_class_of(emulated_device_of_class(name).value()), name);
    EXPECT_EQ(runner_class_of(emulated_device_from(option_of_class(measurement).substr(sizeof("--device")))), name);
  }
  Measurement hostile;
  for (const auto& [name, option] : {std::pair("emulated-h100;reboot", "--device 'emulated:h100;reboot'"),
                                     std::pair("$(reboot)", "--runner-class '$(reboot)'")}) {
    hostile.runner_class = name;
    EXPECT_EQ(option_of_class(hostile), option) << "a person copies it into a shell";
  }
  Project real;
  real.runner_class = "emulated-h100";
  EXPECT_THAT(error_of_call([&] { refuse_emulated_class(real); }), HasSubstr("is that of an emulated GPU"));
  real.runner_class = "h100";
  EXPECT_EQ(error_of_call([&] { refuse_emulated_class(real); }), "");
  EXPECT_EQ(error_of_call([] { refuse_emulated_class(emulated_project()); }), "");
}

TEST_F(EmulatedBuild, WithoutTheLibraryOfValuesNothingIsPlanned) {
  build_emulation();
  const Listener listener;
  Project project = read();
  const MeasuredHost host;
  const MeasureOptions counted{.tier = TierChoice::exact};
  const MeasureOptions watched{.tier = TierChoice::exact, .seeks_hazards = true};
  const ManifestCase& entry = project.manifest.cases.front();
  const auto plan = [&](const MeasureOptions& measure) {
    return error_of_call([&] { request_for({project, measure, host, listener.caller()}, entry, {}); });
  };
  EXPECT_EQ(plan(counted), "");
  EXPECT_THAT(plan(watched), HasSubstr("--target emulated_gpu_values")) << "before an older result moves aside";
  project.emulated->device.values = true;
  EXPECT_THAT(plan(counted), HasSubstr("--device emulated:h100:2:values needs libstepgate_emulated_values.so"));
  build_.program().folder().write("emulated_gpu/libstepgate_emulated_values.so", "");
  EXPECT_EQ(plan(counted), "");
  EXPECT_EQ(plan(watched), "");
}

TEST_F(EmulatedBuild, TooFewGpusAreSkippedWithTheModeThatWasAsked) {
  Listener listener;
  std::string next;
  listener.caller().observer.on_notice = [&next](const Notice& notice) { next = notice.next; };
  CasePlan plan{.entry = {}, .files = {}, .request = build_.program().request({Group::exact})};
  plan.request.device = Device::cuda;
  plan.request.unavailable = ReplicateFailure{FailureKind::too_few_gpus, "needs 2 GPUs", ""};
  for (const auto& [values, wanted] :
       {std::pair(false, "emulated:h100:N"), std::pair(true, "emulated:h100:N:values")}) {
    plan.request.emulated = EmulatedGpu{.device = {.model = "h100", .devices = 1, .values = values}, .folder = {}};
    launch(plan, listener.caller());
    EXPECT_EQ(next, std::string("give the emulated machine more GPUs: --device ") + wanted);
  }
  EXPECT_EQ(build_.processes(), 0);
}

TEST_F(EmulatedBuild, ItsClassWinsOverThatOfTheMachine) {
  build_emulation();
  const Project project = read("ci-small");
  EXPECT_EQ(project.runner_class, "emulated-h100");
  ASSERT_TRUE(project.emulated);
  EXPECT_EQ(project.emulated->folder.filename(), "emulated_gpu");
  EXPECT_EQ(project.emulated->device.devices, 2);
}

TEST_F(EmulatedBuild, ThatIsNotBuiltNamesTheTarget) {
  const std::string refused = error_of_call([&] { read(); });
  EXPECT_THAT(refused, HasSubstr("there is no folder emulated_gpu"));
  EXPECT_THAT(refused, HasSubstr("--target emulated_gpu"));
}

TEST_F(EmulatedBuild, ARunWithoutItHasNotItsClass) {
  const Listener listener;
  const Project project =
      read_project({.build = build_.root(), .out = build_.root() / "out", .runner_class = "emulated-h100"});
  const MeasurementOptions options{.measure = {.tier = TierChoice::exact}, .host = build_.host()};
  EXPECT_THAT(error_of_call([&] { measure_cases(project, options, listener.caller()); }),
              HasSubstr("is that of an emulated GPU"));
  EXPECT_EQ(build_.processes(), 0);
}

TEST_F(EmulatedBuild, ADriverThatDoesNotAnswerStopsTheRun) {
  build_emulation();
  const Listener listener;
  const MeasurementOptions options{.measure = {.tier = TierChoice::exact}, .host = build_.host()};
  EXPECT_THAT(error_of_call([&] { measure_cases(read(), options, listener.caller()); }, ErrorKind::measure),
              HasSubstr("the driver of the emulated GPU does not answer"));
}

}  // namespace
}  // namespace stepgate
