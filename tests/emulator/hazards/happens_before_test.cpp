#include "emulator/hazards/happens_before.h"

#include <gtest/gtest.h>

namespace stepgate::emulator {
namespace {

const WorkPlace place_of_graphs{0, first_handle, 1, false};
const WorkPlace other_place{0, first_handle + handle_step, 2, false};

/// Launches an executable graph with one node, and returns where that stands.
OrderPoint launched_node(WorkOrder& order, const WorkPlace& place, GraphHandle executable) {
  OperationGraph graph;
  graph.nodes.emplace_back().handle = 1;
  OrderPoint found;
  order.launch_graph({place, executable, graph}, [&](const GraphNode&, const OrderPoint& point) { found = point; });
  return found;
}

TEST(WorkOrder, AProgramThatCapturesInEachStepLeavesNoTimelines) {
  WorkOrder order;
  Moment last;
  std::size_t timelines = 0;
  for (GraphHandle executable = 1; executable <= 100; ++executable) {
    const OrderPoint point = launched_node(order, place_of_graphs, executable);
    EXPECT_TRUE(point.before.covers(last)) << "it is told of the graph that was on its branch";
    last = point.moment;
    order.thread_hears_of_stream(1, place_of_graphs.device, place_of_graphs.stream);
    order.thread_acts(1);
    order.forget_executable(executable);
    if (executable == 1) timelines = order.timelines();
  }
  EXPECT_EQ(order.timelines(), timelines);
}

TEST(WorkOrder, AGraphThatIsGoneAndStillRunsComesBeforeNoOther) {
  WorkOrder order;
  const OrderPoint first = launched_node(order, place_of_graphs, 1);
  order.forget_executable(1);
  EXPECT_FALSE(launched_node(order, other_place, 2).comes_after(first.moment));
}

}  // namespace
}  // namespace stepgate::emulator
