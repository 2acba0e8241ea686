#include "emulator/machine/host_function_thread.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <string>
#include <utility>

#include "emulator/machine/emulated_machine.h"

namespace stepgate::emulator {
namespace {

constexpr std::chrono::seconds test_patience(30);
constexpr std::int64_t work_ns = 1'000'000;

MachineOptions with_patience(std::int64_t patience_ms, const std::string& text = "h100") {
  MachineOptions options = read_machine_options(text);
  options.function_patience_ms = patience_ms;
  return options;
}

/// A program with a kernel, a function of the host and another kernel in one stream.
class ProgramWithAFunction {
 public:
  explicit ProgramWithAFunction(const MachineOptions& options) : machine(options) {
    submit(OperationKind::kernel, [this] { written += 'a'; });
    submit(OperationKind::host_function, [this] {
      written += 'f';
      has_run.set_value();
    });
    submit(OperationKind::kernel, [this] { written += 'b'; });
  }
  void submit(OperationKind kind, Effect effect) {
    machine.submit(me, default_stream, {.kind = kind, .name = "work", .cost_ns = work_ns, .effect = std::move(effect)});
  }
  /// Without a call to the machine, as a program waits for a condition variable.
  std::future_status wait() { return has_run.get_future().wait_for(test_patience); }

  const Caller me{.thread = 1, .function = "call"};
  std::string written;
  std::promise<void> has_run;
  EmulatedMachine machine;
};

TEST(HostFunctionThread, RunsAFunctionThatTheProgramWaitsForWithoutACall) {
  ProgramWithAFunction program(with_patience(20));
  const std::int64_t before_ns = program.machine.clock().now_ns();
  {
    const HostFunctionThread thread(program.machine);
    ASSERT_EQ(program.wait(), std::future_status::ready);
  }
  EXPECT_EQ(program.written, "af") << "all before it, and nothing behind it";
  EXPECT_EQ(program.machine.clock().now_ns(), before_ns);
  EXPECT_EQ(program.machine.synchronize_stream(program.me, default_stream), Outcome::ok);
  EXPECT_EQ(program.written, "afb");
}

TEST(HostFunctionThread, InRealTimeAFunctionRunsWhenItsTimeHasCome) {
  ProgramWithAFunction program(with_patience(1'000'000, "h100 clock=real"));
  const HostFunctionThread thread(program.machine);
  EXPECT_EQ(program.wait(), std::future_status::ready);
}

/// A function holds a stream up until the program has queued all its work: a usual way to let work begin together.
TEST(HostFunctionThread, AFunctionMayWaitForTheProgram) {
  std::promise<void> gate;
  bool is_open = false;
  EmulatedMachine machine(with_patience(20, "h100 scale=0"));  // due as soon as it is queued
  const HostFunctionThread thread(machine);
  const Caller me{.thread = 1, .function = "call"};
  machine.submit(me, default_stream, {.kind = OperationKind::host_function, .name = "work", .effect = [&] {
                                        is_open =
                                            gate.get_future().wait_for(test_patience) == std::future_status::ready;
                                      }});
  std::string written;
  machine.submit(me, default_stream, {.name = "kernel", .effect = [&] { written += 'b'; }});
  EXPECT_EQ(written, "") << "behind the function";
  gate.set_value();
  EXPECT_EQ(machine.synchronize_stream(me, default_stream), Outcome::ok);
  EXPECT_TRUE(is_open);
  EXPECT_EQ(written, "b");
}

TEST(HostFunctionThread, AWaitOfTheProgramRunsItAtOnce) {
  ProgramWithAFunction program(with_patience(1'000'000));
  const HostFunctionThread thread(program.machine);
  EXPECT_EQ(program.machine.synchronize_stream(program.me, default_stream), Outcome::ok);
  EXPECT_EQ(program.written, "afb");
}

TEST(HostFunctionThread, EndsWithoutAFunction) {
  EmulatedMachine machine(with_patience(20));
  const HostFunctionThread thread(machine);
}

TEST(IdleMachine, RunsItsFunctionsOnlyWhereTheProgramIsIdle) {
  ProgramWithAFunction program(with_patience(1'000'000));
  program.machine.run_due_host_function();
  EXPECT_EQ(program.written, "");
  program.machine.synchronize_stream(program.me, default_stream);
  EXPECT_EQ(program.written, "afb");
}

TEST(IdleMachine, FunctionsOfAGraphWaitInItsStream) {
  EmulatedMachine machine(with_patience(-1));
  const Caller me{.thread = 1, .function = "call"};
  const StreamHandle one = machine.create_stream(me, {.non_blocking = true}).handle;
  int runs = 0;
  ASSERT_EQ(machine.begin_capture(me, one, CaptureMode::global), Outcome::ok);
  machine.submit(me, one, {.kind = OperationKind::host_function, .name = "work", .effect = [&] { ++runs; }});
  const GraphHandle graph = machine.instantiate(machine.end_capture(me, one).handle).handle;
  EXPECT_FALSE(machine.effects().wait_for_function(std::chrono::milliseconds(0)));
  machine.submit(me, one, {.name = "kernel", .cost_ns = work_ns});
  machine.launch_graph(me, graph, one);
  EXPECT_TRUE(machine.effects().wait_for_function(std::chrono::milliseconds(0)));
  machine.run_due_host_function();
  EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace stepgate::emulator
