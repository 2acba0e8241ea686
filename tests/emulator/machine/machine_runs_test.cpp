#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "emulator/machine/machine_fixture.h"

namespace stepgate::emulator {
namespace {

/// Notes each planned operation as text.
class PlanText : public MachineObserver {
 public:
  void planned(const PlannedOperation& planned) override {
    text_ += std::string(planned.operation.name) + " " + std::to_string(planned.stream_number) + " " +
             std::to_string(planned.begin_ns) + " " + std::to_string(planned.end_ns) + " " +
             std::to_string(planned.correlation) + "\n";
  }
  std::string text_;
};

/// A program with two streams, events, copies, a graph and queries whose answers it follows.
std::string plan_of_a_program(const MachineOptions& options, bool is_watched = false) {
  EmulatedMachine machine(options);
  PlanText plan;
  machine.add_observer(plan);
  Caller me{.thread = 1, .function = "call"};
  const Caller watchdog{.thread = 2, .function = "call"};
  const StreamHandle compute = machine.create_stream(me, {.non_blocking = true}).handle;
  const StreamHandle copies = machine.create_stream(me, {.non_blocking = true}).handle;
  const EventHandle copied = machine.create_event(me, {}).handle;
  void* device = machine.allocate(me, 1 << 20U).address;
  void* host = machine.allocate_host(me, 1 << 20U).address;
  machine.begin_capture(me, compute, CaptureMode::global);
  for (int node = 0; node < 5; ++node) machine.submit(me, compute, {.name = "node", .cost_ns = 3'000});
  const GraphHandle graph = machine.instantiate(machine.end_capture(me, compute).handle).handle;
  for (int step = 0; step < 20; ++step) {
    ++me.correlation;
    machine.copy(me, {.to = device, .from = host, .bytes = 1 << 20U, .stream = copies});
    machine.record_event(me, copied, copies);
    machine.wait_event(me, compute, copied);
    machine.submit(me, compute, {.name = "kernel", .cost_ns = 20'000});
    machine.launch_graph(me, graph, compute);
    if (is_watched) {
      EXPECT_EQ(machine.query_event(watchdog, copied), Outcome::ok);
      EXPECT_EQ(machine.query_stream(watchdog, compute), Outcome::ok);
    }
    if (machine.query_event(me, copied) == Outcome::ok) machine.submit(me, copies, {.name = "extra", .cost_ns = 100});
    if (step % 7 == 6) machine.synchronize_stream(me, compute);
  }
  machine.synchronize_device(me);
  return plan.text_;
}

TEST(MachineRuns, EqualProgramsHaveEqualPlans) {
  const std::string plan = plan_of_a_program(read_machine_options("h100"));
  EXPECT_EQ(plan_of_a_program(read_machine_options("h100")), plan);
  EXPECT_NE(plan_of_a_program(read_machine_options("h100 scale=40")), plan);
  EXPECT_NE(plan_of_a_program(read_machine_options("t4")), plan);
}

TEST(MachineRuns, AThreadThatOnlyAsksChangesNoPlanHoweverLongTheOthersCompute) {
  MachineOptions slow_host = read_machine_options("h100");
  slow_host.patience_ms = -1;  // each question comes after the patience
  EXPECT_EQ(plan_of_a_program(slow_host, true), plan_of_a_program(read_machine_options("h100")));
}

TEST(MachineRuns, ThreadsShareAMachine) {
  EmulatedMachine machine(read_machine_options("h100 mode=values"));
  CallLog log{""};
  machine.add_observer(log);
  constexpr std::uint64_t threads = 4;
  constexpr int works = 500;
  std::atomic<int> effects = 0;
  std::vector<std::thread> running;
  for (std::uint64_t thread = 0; thread < threads; ++thread) {
    running.emplace_back([&machine, &effects, thread] {
      const Caller me{.thread = thread, .function = "call"};
      const StreamHandle own = machine.create_stream(me, {.non_blocking = true}).handle;
      const EventHandle done = machine.create_event(me, {}).handle;
      for (int work = 0; work < works; ++work) {
        machine.submit(me, own, {.name = "kernel", .cost_ns = 500, .effect = [&effects] { ++effects; }});
        if (work % 50 == 0) {
          void* memory = machine.allocate(me, 100).address;
          machine.record_event(me, done, own);
          machine.query_event(me, done);
          machine.synchronize_event(me, done);
          machine.free(me, memory);
        }
      }
      machine.synchronize_stream(me, own);
      machine.destroy_event(done);
      machine.destroy_stream(me, own);
    });
  }
  for (std::thread& thread : running) thread.join();
  EXPECT_EQ(effects, static_cast<int>(threads) * works);
  EXPECT_EQ(log.totals().own_kernels.at("kernel"), threads * works);
  EXPECT_EQ(machine.holdings().streams, 0U);
  EXPECT_EQ(machine.holdings().effects, 0U);
}

TEST(MachineRuns, InRealTimeTheHostWaitsForTheDevice) {
  EmulatedMachine machine(read_machine_options("h100 clock=real"));
  const Caller me{.thread = 1, .function = "call"};
  const StreamHandle one = machine.create_stream(me, {.non_blocking = true}).handle;
  RealClock clock;
  const std::int64_t begin_ns = clock.now_ns();
  machine.submit(me, one, {.name = "kernel", .cost_ns = 5'000'000});
  machine.synchronize_stream(me, one);
  EXPECT_GE(clock.now_ns() - begin_ns, 5'000'000);
}

TEST(MachineRuns, WithoutCostsAllIsDoneAtOnce) {
  EmulatedMachine machine(read_machine_options("h100 scale=0"));
  const Caller me{.thread = 1, .function = "call"};
  int effects = 0;
  machine.submit(me, default_stream, {.name = "kernel", .cost_ns = 5'000'000, .effect = [&] { ++effects; }});
  EXPECT_EQ(effects, 1);
  EXPECT_EQ(machine.query_stream(me, default_stream), Outcome::ok);
}

}  // namespace
}  // namespace stepgate::emulator
