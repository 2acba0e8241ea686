#include "launch/measure_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <thread>

#include "core/error.h"
#include "environment/cpus/cpu_list.h"
#include "launch/no_child_left.h"
#include "support/fake_program.h"
#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::Pair;
using testing::SizeIs;

class MeasureCase : public NoChildLeft {};

std::vector<std::string> order_of(const Measurement& measurement) {
  std::vector<std::string> order;
  for (const Replicate& replicate : measurement.replicates) {
    order.push_back(std::string(name_of(replicate.group)) + " " + std::to_string(replicate.index) + "." +
                    std::to_string(replicate.attempt));
  }
  return order;
}

TEST_F(MeasureCase, InterleavesTheGroups) {
  const FakeProgram program("good");
  const Measurement measurement = measure_case(program.request({Group::timed, Group::exact, Group::reference}), {});
  EXPECT_THAT(order_of(measurement),
              ElementsAre("exact 0.0", "timed 0.0", "reference 0.0", "timed 1.0", "reference 1.0"));
  for (const Replicate& replicate : measurement.replicates) {
    EXPECT_FALSE(replicate.failure) << replicate.failure->message;
    ASSERT_TRUE(replicate.record);
    EXPECT_EQ(replicate.record->group, replicate.group);
    EXPECT_THAT(replicate.evidence.values,
                AllOf(Contains(Key(EvidenceKey::wall_s)), Contains(Key(EvidenceKey::minor_faults))));
  }
}

TEST_F(MeasureCase, TheFirstTimedProcessLengthensTheWindowsOfAll) {
  const FakeProgram program(runs_short_steps);
  write_short_steps(program.folder());
  LaunchRequest request = program.request({Group::timed, Group::reference});
  request.may_lengthen_windows = true;
  const Measurement measurement = measure_case(request, {});

  EXPECT_THAT(order_of(measurement), ElementsAre("timed 0.0", "reference 0.0", "timed 1.0", "reference 1.0"));
  for (const Replicate& replicate : measurement.replicates) EXPECT_FALSE(replicate.failure);
  EXPECT_EQ(measurement.replicates.at(0).record->steps.window, 640);
  EXPECT_EQ(measurement.plan.steps.at("window"), 640);
  const std::string longer = "e2e=3840,loader=2560,logging=5120,phase=1920,synthetic=1920,window=640\n";
  EXPECT_EQ(program.text_of("log"),
            "timed 0 declared\ntimed 0 " + longer + "reference 0 declared\ntimed 1 " + longer + "reference 1 declared");
}

TEST_F(MeasureCase, KeepsTheCountsWhereItMayNotLengthenWindows) {
  const FakeProgram program(runs_short_steps);
  write_short_steps(program.folder());
  const Measurement measurement = measure_case(program.request({Group::timed}), {});
  EXPECT_EQ(program.text_of("log"), "timed 0 declared\ntimed 1 declared");
  EXPECT_THAT(measurement.plan.steps, IsEmpty());
}

TEST_F(MeasureCase, SaysWhatWasMeasuredAndWhere) {
  const FakeProgram program("good");
  LaunchRequest request = program.request({Group::timed});
  request.runner_class = "h200-16c";
  request.commit = "abc-dirty";
  request.device = Device::cpu;
  const Measurement measurement = measure_case(request, {});
  EXPECT_EQ(measurement.case_name, "fake/case/tiny");
  EXPECT_EQ(measurement.runner_class, "h200-16c");
  EXPECT_EQ(measurement.commit, "abc-dirty");
  EXPECT_EQ(measurement.program, program.path().string());
  EXPECT_EQ(measurement.plan.device, Device::cpu);
  EXPECT_THAT(measurement.utc, testing::ContainsRegex("^20[0-9-]+T[0-9:]+Z$"));
  EXPECT_GT(measurement.unix_s, 0);
  EXPECT_THAT(measurement.host, AllOf(Contains(Key("kernel")), Contains(Pair("affinity_count", "1")),
                                      Contains(Pair("affinity_reason", HasSubstr("measuring on CPU")))));
}

TEST_F(MeasureCase, PinsCpuAndEnvironmentOfTheProcess) {
  const FakeProgram program(R"(env > "$here/env"; cp /proc/self/status "$here/status"; good)");
  const CpuList home = allowed_cpus();
  const Measurement measurement = measure_case(program.request({Group::exact}), {});
  EXPECT_EQ(value_after(program.text_of("status"), "Cpus_allowed_list"), measurement.host.at("affinity"));
  EXPECT_THAT(program.text_of("env"), AllOf(HasSubstr("OMP_NUM_THREADS=1"), HasSubstr("ATEN_CPU_CAPABILITY=avx2")));
  EXPECT_THAT(measurement.replicates.at(0).environment, Contains(Pair("MALLOC_TRIM_THRESHOLD_", "4294967296")));
  EXPECT_THAT(measurement.replicates.at(0).environment, Not(Contains(Key("PATH"))));
  EXPECT_EQ(allowed_cpus(), home) << "the launcher goes back to where it was";
}

TEST_F(MeasureCase, NoticesThatTheFolderOfResultsWasExchanged) {
  const FakeProgram program(R"(good; out=$(dirname "$record"); mkdir "$here/stolen"; mv "$out" "$out.old"
                               ln -s "$here/stolen" "$out"; cp "$out.old"/*.json "$out")");
  try {
    measure_case(program.request({Group::timed}), {});
    FAIL() << "what follows would be written elsewhere";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("another folder stands in its place"));
  }
}

TEST_F(MeasureCase, HidesSecretsOfTheUserInWhatIsStored) {
  ASSERT_EQ(::setenv("STEPGATE_UNIT_TOKEN", "ghs_0123456789", 1), 0);
  const FakeProgram program(R"(env > "$here/env"; echo "it is ghs_0123456789" | tee "$record"; exit 3)");
  const LaunchRequest request = program.request({Group::timed});
  const Measurement measurement = measure_case(request, {});
  ::unsetenv("STEPGATE_UNIT_TOKEN");
  EXPECT_EQ(read_pseudo_file(request.out_dir / "timed-00-0.record.json"), "it is [STEPGATE_UNIT_TOKEN]");
  EXPECT_EQ(measurement.replicates.at(0).failure.value().output_tail, "it is [STEPGATE_UNIT_TOKEN]");
  EXPECT_THAT(program.text_of("env"), Not(HasSubstr("ghs_")));
}

TEST_F(MeasureCase, PassesTheVariablesThatTheUserNames) {
  ASSERT_EQ(::setenv("UNIT_VARIABLE", "passed", 1), 0);
  const FakeProgram program(R"(env > "$here/env"; good)");
  LaunchRequest request = program.request({Group::exact});
  measure_case(request, {});
  EXPECT_THAT(program.text_of("env"), Not(HasSubstr("UNIT_VARIABLE")));
  request.passed_variables = {"UNIT_VARIABLE"};
  measure_case(request, {});
  ::unsetenv("UNIT_VARIABLE");
  EXPECT_THAT(program.text_of("env"), HasSubstr("UNIT_VARIABLE=passed"));
}

TEST_F(MeasureCase, AFailureEndsItsOwnGroupOnly) {
  const FakeProgram program(R"(test "$group" = exact && exit 1; good)");
  LaunchRequest request = program.request({Group::exact, Group::timed});
  request.plan.exact_replicates = 3;
  EXPECT_THAT(order_of(measure_case(request, {})), ElementsAre("exact 0.0", "timed 0.0", "timed 1.0"));
}

TEST_F(MeasureCase, NeedsNoReferenceWhereTimedFailed) {
  const FakeProgram program(R"(test "$group" = timed && exit 1; good)");
  EXPECT_THAT(order_of(measure_case(program.request({Group::timed, Group::reference}), {})), ElementsAre("timed 0.0"));
}

TEST_F(MeasureCase, GoesOnWithoutAReferenceThatFailed) {
  const FakeProgram program(R"(test "$group" = reference && exit 1; good)");
  EXPECT_THAT(order_of(measure_case(program.request({Group::timed, Group::reference}), {})),
              ElementsAre("timed 0.0", "reference 0.0", "timed 1.0"));
}

TEST_F(MeasureCase, RepeatsTaintedReplicatesAndKeepsThem) {
  const FakeProgram program("good");
  LaunchRequest request = program.request({Group::timed});
  request.plan.timed_replicates = 1;
  request.taint_limits[EvidenceKey::minor_faults] = 0;  // every process has page faults, so it is always tainted
  const Measurement measurement = measure_case(request, {});
  EXPECT_THAT(order_of(measurement), ElementsAre("timed 0.0", "timed 0.1", "timed 0.2"));
  for (const Replicate& replicate : measurement.replicates) {
    EXPECT_THAT(replicate.taint_reasons, ElementsAre(HasSubstr("minor_faults")));
    EXPECT_TRUE(replicate.record);
  }
}

TEST_F(MeasureCase, StopsRepeatingOnceAReplicateIsClean) {
  // The first process starts 100 others, whose page faults count as its own; all others start two.
  const FakeProgram program(R"(
    if ! test -e "$here/seen"; then
      touch "$here/seen"
      for i in 0 1 2 3 4 5 6 7 8 9; do for j in 0 1 2 3 4 5 6 7 8 9; do /bin/true; done; done
    fi
    good)");
  LaunchRequest request = program.request({Group::timed});
  request.taint_limits[EvidenceKey::minor_faults] = 3000;
  EXPECT_THAT(order_of(measure_case(request, {})), ElementsAre("timed 0.0", "timed 0.1", "timed 1.0"));
}

TEST_F(MeasureCase, GivesUpWhereNearlyAllAreDiscarded) {
  const FakeProgram program("good");
  LaunchRequest request = program.request({Group::exact, Group::timed, Group::reference});
  request.plan.timed_replicates = 5;
  request.taint_limits[EvidenceKey::minor_faults] = 0;
  std::vector<GivenUpGroup> given_up;
  LaunchCallbacks callbacks;
  callbacks.on_given_up = [&](const GivenUpGroup& group) { given_up.push_back(group); };
  EXPECT_THAT(order_of(measure_case(request, callbacks)),
              ElementsAre("exact 0.0", "timed 0.0", "timed 0.1", "timed 0.2", "reference 0.0", "reference 0.1",
                          "reference 0.2", "timed 1.0", "timed 1.1", "timed 1.2"))
      << "ten processes, not thirty-one";
  ASSERT_THAT(given_up, SizeIs(1));
  EXPECT_EQ(given_up[0].group, Group::timed);
  EXPECT_EQ(given_up[0].measured, 6);
  EXPECT_EQ(given_up[0].clean, 0);
}

TEST_F(MeasureCase, TellsWhatDiscardedAReplicateAndWhen) {
  const FakeProgram program("good");
  LaunchRequest request = program.request({Group::timed});
  request.plan.timed_replicates = 1;
  request.plan.max_retries = 0;
  request.taint_limits[EvidenceKey::minor_faults] = 0;
  std::vector<DiscardedReplicate> discarded;
  LaunchCallbacks callbacks;
  callbacks.on_discarded = [&](const DiscardedReplicate& each) { discarded.push_back(each); };
  const Measurement measurement = measure_case(request, callbacks);
  ASSERT_THAT(discarded, SizeIs(1));
  EXPECT_EQ(discarded[0].case_name, "fake/case/tiny");
  EXPECT_EQ(discarded[0].reasons, measurement.replicates.at(0).taint_reasons);
  EXPECT_GE(discarded[0].ended_unix_s, measurement.unix_s);
}

TEST_F(MeasureCase, CountsAreNeverTainted) {
  const FakeProgram program("good");
  LaunchRequest request = program.request({Group::exact});
  request.taint_limits[EvidenceKey::minor_faults] = 0;
  const Measurement measurement = measure_case(request, {});
  EXPECT_THAT(order_of(measurement), ElementsAre("exact 0.0"));
  EXPECT_THAT(measurement.replicates.at(0).taint_reasons, IsEmpty());
}

TEST_F(MeasureCase, ReturnsWhatIsThereWhenInterrupted) {
  const FakeProgram program(R"(test "$replicate" = 1 && exec sleep 60; good)");
  std::atomic<int> interrupted{0};
  LaunchCallbacks callbacks;
  callbacks.interrupted = &interrupted;
  std::thread user;
  callbacks.on_progress = [&](const LaunchProgress& progress) {
    if (progress.index != 1) return;
    user = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      interrupted = SIGTERM;
    });
  };
  const Measurement measurement = measure_case(program.request({Group::timed, Group::reference}), callbacks);
  user.join();
  EXPECT_THAT(order_of(measurement), ElementsAre("timed 0.0", "reference 0.0", "timed 1.0"));
  EXPECT_TRUE(measurement.replicates.at(0).record);
  ASSERT_TRUE(measurement.replicates.at(2).failure);
  EXPECT_EQ(measurement.replicates.at(2).failure->kind, FailureKind::interrupted);
  EXPECT_THAT(measurement.replicates.at(2).failure->message, HasSubstr("SIGTERM"));
}

TEST_F(MeasureCase, MarksAnInterruptionBetweenTwoProcesses) {
  const FakeProgram program(R"(echo started >> "$here/starts"; good)");
  std::atomic<int> interrupted{SIGINT};
  LaunchCallbacks callbacks;
  callbacks.interrupted = &interrupted;
  const Measurement measurement = measure_case(program.request({Group::timed}), callbacks);
  ASSERT_THAT(measurement.replicates, SizeIs(1));
  ASSERT_TRUE(measurement.replicates[0].failure);
  EXPECT_EQ(measurement.replicates[0].failure->kind, FailureKind::interrupted);
  EXPECT_EQ(program.lines_in("starts"), 0);
}

TEST_F(MeasureCase, TellsItsProgress) {
  const FakeProgram program("good");
  std::vector<LaunchProgress> told;
  LaunchCallbacks callbacks;
  callbacks.on_progress = [&](const LaunchProgress& progress) { told.push_back(progress); };
  measure_case(program.request({Group::timed, Group::reference}), callbacks);
  ASSERT_THAT(told, SizeIs(4));
  EXPECT_EQ(told[0].started, 0);
  EXPECT_EQ(told[3].started, 3);
  EXPECT_EQ(told[3].planned, 4);
  EXPECT_EQ(told[3].group, Group::reference);
  EXPECT_EQ(told[3].index, 1);
  EXPECT_EQ(told[0].remaining_s, std::nullopt);
  EXPECT_GT(told[2].remaining_s.value_or(0), 0);
}

TEST_F(MeasureCase, RefusesInvalidRequests) {
  const FakeProgram program("good");
  LaunchRequest request = program.request({});
  EXPECT_THROW(measure_case(request, {}), Error);
  request = program.request({Group::timed});
  request.plan.malloc_policy = "fast";
  EXPECT_THROW(measure_case(request, {}), Error);
  request = program.request({Group::timed});
  request.plan.timeout_s = 0;
  EXPECT_THROW(measure_case(request, {}), Error);
}

LaunchRequest emulated_request(const FakeProgram& program) {
  LaunchRequest request = program.request({Group::exact});
  request.device = Device::cuda;
  request.emulated = EmulatedGpu{.device = {"h100", 2}, .folder = "/nowhere/emulated_gpu", .settings = {}};
  return request;
}

TEST_F(MeasureCase, TheProcessAloneGetsTheEmulatedGpu) {
  const FakeProgram program("echo \"$STEPGATE_EMULATED_GPU|$LD_AUDIT|$*\" >> \"$here/got\"; good");
  const Measurement measurement = measure_case(emulated_request(program), {});
  ASSERT_THAT(measurement.replicates, SizeIs(1));
  const std::string got = program.text_of("got");
  EXPECT_THAT(got, HasSubstr("h100:2|/nowhere/emulated_gpu/libstepgate_emulated_loader.so|"));
  EXPECT_THAT(got, HasSubstr("--stepgate_emulated"));
  EXPECT_EQ(std::getenv("LD_AUDIT"), nullptr);
  EXPECT_EQ(std::getenv("STEPGATE_EMULATED_GPU"), nullptr);
}

TEST_F(MeasureCase, AnEmulatedGpuRunsTheExactHalfOfCasesForAGpu) {
  const FakeProgram program("good");
  const auto refusal = [](const LaunchRequest& request) -> std::string {
    try {
      measure_case(request, {});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  for (const Group group : {Group::timed, Group::reference, Group::profile}) {
    LaunchRequest request = emulated_request(program);
    request.groups = {Group::exact, group};
    EXPECT_THAT(refusal(request), HasSubstr("an emulated GPU has no times")) << name_of(group);
  }
  LaunchRequest on_cpu = emulated_request(program);
  on_cpu.device = Device::cpu;
  EXPECT_THAT(refusal(on_cpu), HasSubstr("it runs on the CPU"));
}

TEST_F(MeasureCase, ADriverBesideTheEmulatedGpuIsNotItsDriver) {
  const FakeProgram program("good");
  EXPECT_THAT(measure_case(emulated_request(program), {}).host, Not(Contains(Key("gpu_driver"))));
}

}  // namespace
}  // namespace stepgate
