#include "diagnose/trace/account_of_trace.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "json/traces/trace_file.h"
#include "support/scripted_trace.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TraceAccount account_of(const ScriptedTrace& script) {
  const TemporaryFolder folder;
  return account_of_trace(read_trace_file(folder.write("t.json", script.text())));
}

/// Parts in microseconds of one step; those that are 0 are left out.
std::map<std::string, double> parts_us(const TraceAccount& account) {
  std::map<std::string, double> parts;
  for (const AccountPart& part : account.parts) {
    if (part.ns != 0) parts[part.part] = part.ns / 1e3;
  }
  return parts;
}

using Parts = std::map<std::string, double>;

std::string told(const TraceAccount& account) {
  std::string text;
  for (const BottleneckVerdict& verdict : account.bottlenecks) {
    text += std::string(name_of(verdict.kind)) + ": " + verdict.says + "\n";
  }
  return text;
}

/// One step of 100 us: a launch at `launch` and a kernel from 40 to 80, after one from 2 to 20.
ScriptedTrace step_with_gap(double launch) {
  ScriptedTrace trace;
  trace.step(1, 0, 100);
  trace.call("cudaLaunchKernel", 0, 1, 1);
  trace.kernel("gemm", 2, 18, 1);
  trace.call("cudaLaunchKernel", launch, 1, 2);
  trace.kernel("gemm", 40, 60, 2);
  return trace;
}

TEST(AccountOfTrace, DividesBusyTimeByWhatIsExposed) {
  ScriptedTrace trace;
  trace.step(1, 0, 100);
  trace.call("cudaLaunchKernel", 0, 1, 1);
  trace.call("cudaLaunchKernel", 0, 1, 2);
  trace.call("cudaMemcpyAsync", 0, 1, 3);
  trace.kernel("gemm", 0, 50, 1);
  trace.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 30, 40, 2, 20);  // 20 us of it exposed
  trace.copy("Memcpy HtoD (Pinned -> Device)", 60, 40, 3, 21);             // 30 us of it exposed
  const TraceAccount account = account_of(trace);
  EXPECT_EQ(parts_us(account), (Parts{{"compute", 50}, {"exposed-communication", 20}, {"exposed-copies", 30}}));
  EXPECT_EQ(account.span_ns, 100'000);
  EXPECT_EQ(account.busy_share, 1.0);
  EXPECT_EQ(account.of, "device 0, Toy GPU");
  EXPECT_THAT(told(account), HasSubstr("communication: exposed communication: 20.0 % of the time, severe from 15 %"));
  EXPECT_THAT(told(account), HasSubstr("copy: exposed copies: 30.0 %"));
}

TEST(AccountOfTrace, AHostThatLaunchesLateIsLaunch) {
  EXPECT_EQ(parts_us(account_of(step_with_gap(35))),
            (Parts{{"compute", 78}, {"idle-kernel-gap", 2}, {"idle-launch", 20}}));
}

TEST(AccountOfTrace, AHostThatWaitsForDataIsData) {
  ScriptedTrace trace = step_with_gap(35);
  trace.range("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 15, 12);  // the device works until 20
  trace.range("data_wait", 28, 2, 9);                                                  // of another thread
  const TraceAccount account = account_of(trace);
  EXPECT_EQ(parts_us(account), (Parts{{"compute", 78}, {"idle-data", 7}, {"idle-kernel-gap", 2}, {"idle-launch", 13}}));
  EXPECT_THAT(told(account), HasSubstr("input: idle: host waits for data: 7.0 % of the time, worth a look from 5 %"));
}

TEST(AccountOfTrace, AHostThatHadWaitedForTheDeviceIsSync) {
  for (const char* call : {"cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaEventSynchronize"}) {
    ScriptedTrace trace = step_with_gap(35);
    trace.call(call, 5, 16, 0);
    const TraceAccount account = account_of(trace);
    EXPECT_EQ(parts_us(account), (Parts{{"compute", 78}, {"idle-kernel-gap", 2}, {"idle-sync", 20}})) << call;
    EXPECT_EQ(account.host_syncs, 1);
    EXPECT_THAT(told(account), HasSubstr("sync: idle: host had waited for it: 20.0 %"));
  }
}

TEST(AccountOfTrace, ACopyToPageableMemoryIsASync) {
  ScriptedTrace trace = step_with_gap(35);
  trace.call("cudaMemcpyAsync", 5, 20, 3);
  trace.copy("Memcpy DtoH (Device -> Pageable)", 20, 3, 3);
  EXPECT_EQ(parts_us(account_of(trace)),
            (Parts{{"compute", 78}, {"exposed-copies", 3}, {"idle-kernel-gap", 2}, {"idle-sync", 17}}));
}

TEST(AccountOfTrace, ASyncThatDidNotWaitIsNone) {
  ScriptedTrace begun_idle = step_with_gap(35);
  begun_idle.call("cudaStreamSynchronize", 22, 5, 0);
  EXPECT_EQ(parts_us(account_of(begun_idle)).count("idle-sync"), 0u);
  ScriptedTrace long_before = step_with_gap(35);
  long_before.call("cudaStreamSynchronize", 0.5, 1, 0);  // returned while the device worked on
  EXPECT_EQ(parts_us(account_of(long_before)).count("idle-sync"), 0u);
  ScriptedTrace other_thread = step_with_gap(35);
  other_thread.call("cudaStreamSynchronize", 5, 16, 0, 9);
  EXPECT_EQ(parts_us(account_of(other_thread)).count("idle-sync"), 0u);
}

TEST(AccountOfTrace, WorkThatWasQueuedWaitsForAnEventOrFollowsAtOnce) {
  EXPECT_EQ(parts_us(account_of(step_with_gap(10))),
            (Parts{{"compute", 78}, {"idle-event", 20}, {"idle-kernel-gap", 2}}));
}

TEST(AccountOfTrace, TheHostThatLogsIsLogging) {
  ScriptedTrace trace = step_with_gap(35);
  trace.range("logging", 21, 10);
  trace.range("data_wait", 30, 2);
  EXPECT_EQ(
      parts_us(account_of(trace)),
      (Parts{{"compute", 78}, {"idle-data", 2}, {"idle-kernel-gap", 2}, {"idle-launch", 9}, {"idle-logging", 9}}));
}

TEST(AccountOfTrace, AGapWithoutItsLaunchHasNoCause) {
  ScriptedTrace trace;
  trace.step(1, 0, 100);
  trace.kernel("gemm", 0, 50, 0);
  trace.kernel("gemm", 70, 30, 0);
  EXPECT_EQ(parts_us(account_of(trace)), (Parts{{"compute", 80}, {"idle-unknown", 20}}));
}

TEST(AccountOfTrace, TheSpanEndsWithTheWorkThatTheStepsStarted) {
  ScriptedTrace trace;
  for (int i = 0; i < 3; ++i) {
    trace.step(i, i * 10.0, 10);
    trace.call("cudaLaunchKernel", i * 10.0, 1, i + 1);
    trace.kernel("gemm", 5 + i * 60.0, 60, i + 1);
  }
  trace.call("cudaLaunchKernel", 50, 1, 9);
  trace.kernel("after the steps", 185, 500, 9);
  const TraceAccount account = account_of(trace);
  EXPECT_EQ(account.span_ns, 185'000);
  EXPECT_EQ(account.steps, 3);
  EXPECT_EQ(parts_us(account), (Parts{{"compute", 60}, {"idle-kernel-gap", 5.0 / 3}}));
  EXPECT_EQ(account.step.median_ns, 10'000);
  EXPECT_THAT(account.notes, ::testing::Contains(HasSubstr("0.155 ms after")));
  EXPECT_THAT(told(account), HasSubstr("faster host code wins nothing"));
}

TEST(AccountOfTrace, WithoutStepsTheWorkOfTheDeviceIsOneStep) {
  ScriptedTrace trace;
  trace.call("cudaLaunchKernel", 5000, 1, 1);
  trace.kernel("gemm", 5005, 45, 1);
  trace.operator_call("aten::mm", 0, 90'000);
  const TraceAccount account = account_of(trace);
  EXPECT_EQ(account.span_ns, 45'000);
  EXPECT_EQ(account.steps, 0);
  EXPECT_THAT(account.notes, ::testing::Contains(HasSubstr("prof.step()")));
}

/// What makes the libraries ready takes seconds before the first step: no idle time of it says what limits a step.
TEST(AccountOfTrace, WithoutStepsNothingIsCalledLikely) {
  ScriptedTrace trace;
  trace.call("cudaLaunchKernel", 1, 1, 1);
  trace.kernel("gemm", 2, 40, 1);
  trace.call("cudaLaunchKernel", 9000, 1, 2);
  trace.kernel("gemm", 9001, 40, 2);
  EXPECT_THAT(account_of(trace).bottlenecks, IsEmpty());
  trace.step(1, 0, 9100);
  EXPECT_THAT(told(account_of(trace)), HasSubstr("launch"));
}

TEST(AccountOfTrace, TheBusiestOfSeveralDevicesCounts) {
  ScriptedTrace trace = step_with_gap(10);
  trace.call("cudaLaunchKernel", 1, 1, 3);
  trace.kernel("gemm", 2, 97, 3, 7, 1);
  const TraceAccount account = account_of(trace);
  EXPECT_EQ(account.of, "device 1");
  EXPECT_EQ(parts_us(account).at("compute"), 97);
  EXPECT_THAT(account.notes, ::testing::Contains(HasSubstr("2 devices")));
}

TEST(AccountOfTrace, AQuietAccountClaimsNothing) {
  ScriptedTrace trace;
  trace.step(1, 0, 100);
  trace.call("cudaLaunchKernel", 0, 1, 1);
  trace.call("cudaLaunchKernel", 1, 1, 2);
  trace.kernel("gemm", 2, 40, 1);
  trace.kernel("gemm", 56, 44, 2);
  EXPECT_THAT(account_of(trace).bottlenecks, IsEmpty());
}

TEST(AccountOfTrace, WithoutADeviceItIsThatOfTheThreadThatTrains) {
  ScriptedTrace trace;
  trace.step(1, 0, 200);
  trace.range("data_wait", 0, 30);
  trace.operator_call("aten::linear", 40, 30);
  trace.operator_call("aten::addmm", 45, 20);
  trace.operator_call("autograd::engine::evaluate_function: AddmmBackward0", 80, 50);
  trace.operator_call("aten::mm", 85, 40);
  trace.range("Optimizer.step#AdamW.step", 140, 40);
  trace.operator_call("aten::mm", 150, 10);
  trace.operator_call("aten::mm", 0, 5000, 9);  // a worker
  const TraceAccount account = account_of(trace);
  EXPECT_FALSE(account.on_device);
  EXPECT_EQ(parts_us(account),
            (Parts{{"backward", 50}, {"data-wait", 30}, {"host", 50}, {"operators", 30}, {"optimizer", 40}}));
  ASSERT_FALSE(account.costliest.empty());
  EXPECT_EQ(account.costliest[0].name, "aten::mm");
  EXPECT_EQ(account.costliest[0].calls, 2);
  EXPECT_EQ(account.costliest[0].ns, 50'000);
  EXPECT_EQ(account.costliest[1].name, "aten::addmm");
  EXPECT_THAT(told(account), HasSubstr("optimizer: optimizer: 20.0 %"));
  EXPECT_THAT(told(account), HasSubstr("input: waits for data: 15.0 %"));
}

/// Random work on three streams, counted microsecond by microsecond.
TEST(AccountOfTrace, AddsUpToTheSpanWhateverRanSideBySide) {
  std::mt19937 random(11);
  const auto draw = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
  for (int round = 0; round < 100; ++round) {
    ScriptedTrace script;
    script.step(1, 0, 300);
    std::set<int> compute, exchange, copies;
    for (int i = 1; i <= 12; ++i) {
      const int at = draw(280);
      const int length = 1 + draw(19);
      const int kind = draw(2);
      script.call("cudaLaunchKernel", draw(at), 1, i, 1 + draw(1));
      if (draw(3) == 0) script.call("cudaStreamSynchronize", draw(at), 1 + draw(30), 0);
      if (draw(3) == 0) script.range("data_wait", draw(280), draw(20));
      if (kind == 2)
        script.copy("Memcpy HtoD (Pageable -> Device)", at, length, i);
      else
        script.kernel(kind == 1 ? "ncclKernel" : "gemm", at, length, i, 7 + kind);
      std::set<int>& cells = kind == 0 ? compute : kind == 1 ? exchange : copies;
      for (int cell = at; cell < at + length; ++cell) cells.insert(cell);
    }
    Parts truth;
    for (int cell = 0; cell < 300; ++cell) {
      const char* part = compute.contains(cell)    ? "compute"
                         : exchange.contains(cell) ? "exposed-communication"
                         : copies.contains(cell)   ? "exposed-copies"
                                                   : "idle";
      truth[part] += 1;
    }
    Parts found;
    for (const auto& [part, us] : parts_us(account_of(script))) found[part.starts_with("idle") ? "idle" : part] += us;
    for (auto& [part, us] : found) us = std::round(us * 1000) / 1000;
    ASSERT_EQ(found, truth) << script.text();
  }
}

/// Traces of real training jobs on GPUs, which the project does not ship. Reference: the same arithmetic by another
/// program over the time from the first to the last work of the device, and HTA 0.5.0 (idle).
TEST(AccountOfTrace, OfRealTracesAgreesWithOtherTools) {
  const char* folder = std::getenv("STEPGATE_TRACES");
  if (folder == nullptr) GTEST_SKIP() << "SKIPPED: set STEPGATE_TRACES to a folder of real traces of PyTorch on GPUs";
  struct Reference {
    const char* file;
    int steps;
    double compute, communication, copies, idle, hta_idle;
  };
  for (const Reference& known :
       {Reference{"v100_training", 5, 97.5, 0, 0.9, 1.6, 2.6}, Reference{"a100_ddp", 6, 60.6, 18.9, 4.2, 16.4, 16.2},
        Reference{"a100_host_bound", 3, 17.5, 6.0, 0.3, 76.2, 77.8}}) {
    const auto path = std::filesystem::path(folder) / (std::string(known.file) + ".json.gz");
    const TraceAccount account = account_of_trace(read_trace_file(path));
    double sum = 0;
    double idle = 0;
    std::map<std::string, double> shares;
    for (const AccountPart& part : account.parts) {
      shares[part.part] = part.share * 100;
      sum += part.share * 100;
      if (part.part.starts_with("idle")) idle += part.share * 100;
    }
    EXPECT_NEAR(sum, 100, 1e-9) << known.file;
    EXPECT_EQ(account.steps, known.steps) << known.file;
    EXPECT_NEAR(shares["compute"], known.compute, 1) << known.file;
    EXPECT_NEAR(shares["exposed-communication"], known.communication, 1) << known.file;
    EXPECT_NEAR(shares["exposed-copies"], known.copies, 1) << known.file;
    EXPECT_NEAR(idle, known.idle, 1) << known.file;
    EXPECT_NEAR(idle, known.hta_idle, 2) << known.file;
  }
}

}  // namespace
}  // namespace stepgate
