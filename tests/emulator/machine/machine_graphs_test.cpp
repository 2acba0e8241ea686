#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "emulator/machine/machine_fixture.h"

namespace stepgate::emulator {
namespace {

class MachineGraphs : public MachineTest {
 protected:
  template <typename Work>
  GraphHandle captured(Work work) {
    EXPECT_EQ(machine_.begin_capture(me_, one_, CaptureMode::global), Outcome::ok);
    work();
    const Made graph = machine_.end_capture(me_, one_);
    EXPECT_EQ(graph.outcome, Outcome::ok);
    return graph.handle;
  }
  Outcome launch(GraphHandle executable, StreamHandle handle) { return machine_.launch_graph(me_, executable, handle); }

  const StreamHandle one_ = stream();
  const StreamHandle other_ = stream();
};

TEST_F(MachineGraphs, EachLaunchRunsTheNodes) {
  const GraphHandle graph = captured([&] {
    kernel(one_, 1'000, 'a');
    kernel(one_, 1'000, 'b');
  });
  const Made executable = machine_.instantiate(graph);
  ASSERT_EQ(executable.outcome, Outcome::ok);
  EXPECT_EQ(launch(executable.handle, one_), Outcome::ok);
  EXPECT_EQ(launch(executable.handle, other_), Outcome::ok);
  machine_.synchronize_device(me_);
  EXPECT_EQ(written_, "abab");
  EXPECT_EQ(log_.totals().own_kernels.at("kernel"), 4U);
  EXPECT_EQ(log_.totals().graph_launches, 2U);
  EXPECT_EQ(log_.totals().graph_nodes, 4U);
}

TEST_F(MachineGraphs, ALaunchWaitsForTheStreamAndTheStreamForIt) {
  const Made executable = machine_.instantiate(captured([&] { kernel(one_, 1'000, 'g'); }));
  kernel(other_, 1'000'000, 'a');
  launch(executable.handle, other_);
  kernel(other_, 1, 'z');
  synchronize(other_);
  EXPECT_EQ(written_, "agz");
}

TEST_F(MachineGraphs, LaunchesOfOneExecutableFollowOneAnother) {
  const Made executable = machine_.instantiate(captured([&] { kernel(one_, 1'000'000); }));
  launch(executable.handle, one_);
  launch(executable.handle, other_);
  synchronize(other_);
  EXPECT_GE(now_ns(), 2'000'000);
}

TEST_F(MachineGraphs, BranchesRunSideBySide) {
  const EventHandle fork = event();
  const EventHandle join = event();
  const Made executable = machine_.instantiate(captured([&] {
    machine_.record_event(me_, fork, one_);
    machine_.wait_event(me_, other_, fork);
    kernel(one_, 1'000'000, 's');
    kernel(other_, 1'000, 'q');
    machine_.record_event(me_, join, other_);
    machine_.wait_event(me_, one_, join);
    kernel(one_, 1'000, 'j');
  }));
  launch(executable.handle, one_);
  synchronize(one_);
  EXPECT_EQ(written_, "qsj");
  EXPECT_LT(now_ns(), 1'100'000);
}

TEST_F(MachineGraphs, ValuesAreComputedWithEachLaunchAndAreNoNodes) {
  const GraphHandle graph = captured([&] {
    kernel(one_, 1'000, 'a');
    machine_.add_effect(me_, one_, [this] { written_ += 'A'; });
    kernel(one_, 1'000, 'b');
    machine_.add_effect(me_, one_, [this] { written_ += 'B'; });
  });
  ASSERT_EQ(machine_.nodes_of(graph)->size(), 2U);
  EXPECT_EQ(machine_.nodes_of(graph)->at(1).after.size(), 1U);
  const Made executable = machine_.instantiate(graph);
  launch(executable.handle, one_);
  launch(executable.handle, one_);
  synchronize(one_);
  EXPECT_EQ(written_, "aAbBaAbB");
  EXPECT_EQ(log_.totals().graph_nodes, 4U);
}

TEST_F(MachineGraphs, CopiesReadWhatIsThereWhenTheyRun) {
  char* device = device_bytes(8);
  char* pinned = pinned_bytes(8);
  const Made executable = machine_.instantiate(captured([&] { copy(device, pinned, 8, one_); }));
  for (const char* text : {"first", "second"}) {
    std::strcpy(pinned, text);
    launch(executable.handle, one_);
    synchronize(one_);
    EXPECT_STREQ(device, text);
  }
}

TEST_F(MachineGraphs, AnExecutableOutlivesItsGraph) {
  const GraphHandle graph = captured([&] { kernel(one_, 1'000, 'a'); });
  const Made executable = machine_.instantiate(graph);
  EXPECT_EQ(machine_.destroy_graph(graph), Outcome::ok);
  EXPECT_EQ(machine_.destroy_graph(graph), Outcome::invalid_handle);
  EXPECT_EQ(machine_.instantiate(graph).outcome, Outcome::invalid_handle);
  EXPECT_EQ(machine_.nodes_of(graph), std::nullopt);
  launch(executable.handle, one_);
  EXPECT_EQ(machine_.destroy_executable(executable.handle), Outcome::ok) << "its work still runs";
  EXPECT_EQ(launch(executable.handle, one_), Outcome::invalid_handle);
  synchronize(one_);
  EXPECT_EQ(written_, "a");
}

TEST_F(MachineGraphs, AGraphInAGraphIsOneNode) {
  const Made inner = machine_.instantiate(captured([&] {
    kernel(one_, 1'000, 'a');
    kernel(one_, 1'000, 'b');
  }));
  const GraphHandle graph = captured([&] {
    EXPECT_EQ(launch(inner.handle, one_), Outcome::ok);
    kernel(one_, 1'000, 'c');
  });
  ASSERT_EQ(machine_.nodes_of(graph)->size(), 2U);
  EXPECT_EQ(machine_.nodes_of(graph)->at(0).kind, OperationKind::child_graph);
  launch(machine_.instantiate(graph).handle, one_);
  synchronize(one_);
  EXPECT_EQ(written_, "abc");
}

TEST_F(MachineGraphs, ExternalEventsAreNodes) {
  const EventHandle inside = event();
  const GraphHandle graph = captured([&] {
    kernel(one_, 1'000'000, 'a');
    EXPECT_EQ(machine_.record_event(me_, inside, one_, true), Outcome::ok);
    kernel(one_, 5'000'000, 'b');
  });
  EXPECT_EQ(machine_.query_event(me_, inside), Outcome::ok) << "not recorded yet";
  launch(machine_.instantiate(graph).handle, one_);
  EXPECT_EQ(machine_.query_event(me_, inside), Outcome::not_ready);
  machine_.synchronize_event(me_, inside);
  EXPECT_EQ(written_, "a");
}

TEST_F(MachineGraphs, AnExternalWaitHoldsTheNodesAfterIt) {
  const EventHandle outside = event();
  const GraphHandle graph = captured([&] {
    EXPECT_EQ(machine_.wait_event(me_, one_, outside, true), Outcome::ok);
    kernel(one_, 1'000, 'g');
  });
  const Made executable = machine_.instantiate(graph);
  kernel(other_, 1'000'000, 'a');
  machine_.record_event(me_, outside, other_);
  launch(executable.handle, one_);
  synchronize(one_);
  EXPECT_EQ(written_, "ag");
}

TEST_F(MachineGraphs, CollectivesMeetWithEachLaunch) {
  int meetings = 0;
  Operation operation{.kind = OperationKind::collective, .name = "all_reduce", .bytes = 4};
  operation.meet = [&](std::int64_t begin_ns) {
    ++meetings;
    written_ += 'M';
    return Meeting{begin_ns + 1'000};
  };
  const Made executable = machine_.instantiate(captured([&] {
    kernel(one_, 1'000, 'a');
    machine_.submit(me_, one_, operation);
    kernel(one_, 1'000, 'b');
  }));
  EXPECT_EQ(meetings, 0);
  launch(executable.handle, one_);
  launch(executable.handle, one_);
  synchronize(one_);
  EXPECT_EQ(meetings, 2);
  EXPECT_EQ(written_, "aMbaMb");
}

TEST_F(MachineGraphs, NodesSayWhatTheyAre) {
  char* device = device_bytes(8);
  const GraphHandle graph = captured([&] {
    kernel(one_, 1'000);
    machine_.set(me_, {.to = device, .bytes = 8, .stream = one_});
    copy(device, device, 4, one_);
  });
  const std::vector<NodeFacts> nodes = *machine_.nodes_of(graph);
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_EQ(machine_.node_facts(nodes[0].handle)->kind, OperationKind::kernel);
  EXPECT_EQ(machine_.node_facts(nodes[1].handle)->kind, OperationKind::memset);
  EXPECT_EQ(machine_.node_facts(nodes[2].handle)->kind, OperationKind::copy);
  EXPECT_EQ(machine_.node_facts(nodes[2].handle)->after, std::vector<NodeHandle>{nodes[1].handle});
  EXPECT_FALSE(machine_.node_facts(1));
}

TEST_F(MachineGraphs, NothingIsLeftWhenAllIsDestroyed) {
  const GraphHandle graph = captured([&] { kernel(one_, 1'000); });
  const Made executable = machine_.instantiate(graph);
  const Made empty = machine_.create_graph();
  const EventHandle done = event();
  launch(executable.handle, one_);
  machine_.synchronize_device(me_);
  machine_.destroy_executable(executable.handle);
  machine_.destroy_graph(graph);
  machine_.destroy_graph(empty.handle);
  machine_.destroy_event(done);
  machine_.destroy_stream(me_, one_);
  machine_.destroy_stream(me_, other_);
  const EmulatedMachine::Holdings left = machine_.holdings();
  EXPECT_EQ(left.streams, 0U);
  EXPECT_EQ(left.events, 0U);
  EXPECT_EQ(left.graphs, 0U);
  EXPECT_EQ(left.executables, 0U);
  EXPECT_EQ(left.captures, 0U);
  EXPECT_EQ(left.effects, 0U);
}

}  // namespace
}  // namespace stepgate::emulator
