// Twenty races that programs have, each found whatever ran first, and each with what orders it: then nothing is found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "emulator/hazards/hazard_script.h"

namespace stepgate::emulator {
namespace {

struct PlantedRace {
  const char* name;
  const char* earlier;  ///< the operator of the access that was queued first
  const char* later;
  const char* kind;
  void (*run)(HazardScript& script, bool is_ordered);
};

void PrintTo(const PlantedRace& race, std::ostream* out) { *out << race.name; }

void read_on_another_stream(HazardScript& script, bool is_ordered) {
  const StreamHandle maker = script.stream();
  const StreamHandle user = script.stream();
  char* const numbers = script.tensor();
  script.kernel(maker, "fill", {writes(numbers)});
  if (is_ordered) script.order(user, maker);
  script.kernel(user, "sum", {reads(numbers)});
}

void event_before_the_copy(HazardScript& script, bool is_ordered) {
  const StreamHandle copies = script.stream();
  const StreamHandle work = script.stream();
  char* const batch = script.tensor();
  const char* const pinned = script.pinned();
  const EventHandle copied = script.event();
  if (!is_ordered) script.record(copied, copies);
  script.copy(copies, "copy", batch, pinned);
  if (is_ordered) script.record(copied, copies);
  script.wait(work, copied);
  script.kernel(work, "linear", {reads(batch)});
}

void gradient_of_two_streams(HazardScript& script, bool is_ordered) {
  const StreamHandle one = script.stream();
  const StreamHandle other = script.stream();
  char* const gradient = script.tensor();
  script.kernel(one, "add_one", {reads(gradient), writes(gradient)});
  if (is_ordered) script.order(other, one);
  script.kernel(other, "add_other", {writes(gradient)});
}

void freed_block_used_again(HazardScript& script, bool is_ordered) {
  const StreamHandle own = script.stream();
  const StreamHandle side = script.stream();
  char* const memory = script.tensor();
  script.finder.hand_out(memory, tensor_bytes);
  script.kernel(own, "make", {writes(memory)});
  script.order(side, own);
  script.kernel(side, "use", {reads(memory)});
  if (is_ordered) script.order(own, side);
  script.finder.hand_out(memory, tensor_bytes);
  script.kernel(own, "make_next", {writes(memory)});
}

void block_recorded_and_not_asked(HazardScript& script, bool is_ordered) {
  const StreamHandle own = script.stream();
  const StreamHandle side = script.stream();
  char* const memory = script.tensor();
  const EventHandle used = script.event();
  script.kernel(side, "use", {reads(memory)});
  script.record(used, side);
  script.let_all_end();  // that its end is past orders nothing; that the host has heard of it does
  if (is_ordered) {
    EXPECT_EQ(script.machine.query_event(script.me, used), Outcome::ok);
  }
  script.kernel(own, "make_next", {writes(memory)});
}

GraphHandle captured_step(HazardScript& script, StreamHandle stream, const char* name, const MemoryAccesses& accesses) {
  script.begin_capture(stream);
  script.kernel(stream, name, accesses);
  return script.end_capture(stream);
}

void graph_input_overwritten(HazardScript& script, bool is_ordered) {
  const StreamHandle graphs = script.stream();
  const StreamHandle copies = script.stream();
  char* const input = script.tensor();
  const char* const pinned = script.pinned();
  const GraphHandle step = captured_step(script, graphs, "matmul", {reads(input)});
  script.launch(step, graphs);
  if (is_ordered) script.order(copies, graphs);
  script.copy(copies, "copy", input, pinned);
}

void graph_output_read(HazardScript& script, bool is_ordered) {
  const StreamHandle graphs = script.stream();
  const StreamHandle side = script.stream();
  char* const loss = script.tensor();
  const GraphHandle step = captured_step(script, graphs, "loss", {writes(loss)});
  script.launch(step, graphs);
  if (is_ordered) script.order(side, graphs);
  script.kernel(side, "log", {reads(loss)});
}

void pinned_batch_filled_again(HazardScript& script, bool is_ordered) {
  const StreamHandle copies = script.stream();
  char* const batch = script.tensor();
  char* const pinned = script.pinned();
  const EventHandle copied = script.event();
  script.host("fill", writes(pinned));
  script.copy(copies, "copy", batch, pinned);
  script.record(copied, copies);
  if (is_ordered) script.machine.synchronize_event(script.me, copied);
  script.host("fill_next", writes(pinned));
}

void pinned_result_read_early(HazardScript& script, bool is_ordered) {
  const StreamHandle work = script.stream();
  char* const loss = script.tensor();
  char* const pinned = script.pinned();
  script.copy(work, "copy", pinned, loss);
  if (is_ordered) script.machine.synchronize_stream(script.me, work);
  script.host("item", reads(pinned));
}

void collective_without_wait(HazardScript& script, bool is_ordered) {
  const StreamHandle work = script.stream();
  const StreamHandle collectives = script.stream();
  char* const gradient = script.tensor();
  script.kernel(work, "backward", {writes(gradient)});
  if (is_ordered) script.order(collectives, work);
  script.collective(collectives, "allreduce", {reads(gradient), writes(gradient)});
}

void optimizer_before_the_collective_ends(HazardScript& script, bool is_ordered) {
  const StreamHandle work = script.stream();
  const StreamHandle collectives = script.stream();
  char* const gradient = script.tensor();
  script.collective(collectives, "allreduce", {reads(gradient), writes(gradient)});
  if (is_ordered) script.order(work, collectives);
  script.kernel(work, "adam", {reads(gradient)});
}

void optimizer_on_a_side_stream(HazardScript& script, bool is_ordered) {
  const StreamHandle work = script.stream();
  const StreamHandle side = script.stream();
  char* const weight = script.tensor();
  script.kernel(work, "forward", {reads(weight)});
  if (is_ordered) script.order(side, work);
  script.kernel(side, "adam", {writes(weight)});
}

void default_stream_and_a_free_one(HazardScript& script, bool is_ordered) {
  const StreamHandle side = is_ordered ? script.blocking_stream() : script.stream();
  char* const numbers = script.tensor();
  script.kernel(default_stream, "fill", {writes(numbers)});
  script.kernel(side, "sum", {reads(numbers)});
}

void gradients_cleared_on_a_side_stream(HazardScript& script, bool is_ordered) {
  const StreamHandle work = script.stream();
  const StreamHandle side = script.stream();
  char* const gradient = script.tensor();
  script.clear(side, "zero", gradient);
  if (is_ordered) script.order(work, side);
  script.kernel(work, "backward", {reads(gradient), writes(gradient)});
}

void branches_of_a_graph(HazardScript& script, bool is_ordered) {
  const StreamHandle origin = script.stream();
  const StreamHandle branch = script.stream();
  char* const sum = script.tensor();
  char* const other = script.tensor();
  script.begin_capture(origin);
  script.kernel(origin, "begin", {writes(other)});
  if (!is_ordered) script.order(branch, origin);
  script.kernel(origin, "add_one", {writes(sum)});
  if (is_ordered) script.order(branch, origin);
  script.kernel(branch, "add_other", {writes(sum)});
  script.order(origin, branch);
  const GraphHandle graph = script.end_capture(origin);
  script.launch(graph, origin);
  script.launch(graph, branch);  // launches of one graph follow one another
}

void pooled_memory_freed_early(HazardScript& script, bool is_ordered) {
  const StreamHandle own = script.stream();
  const StreamHandle side = script.stream();
  char* const memory = static_cast<char*>(script.machine.allocate_async(script.me, tensor_bytes, own).address);
  script.kernel(own, "make", {writes(memory)});
  script.order(side, own);
  script.kernel(side, "use", {reads(memory)});
  if (is_ordered) script.order(own, side);
  script.release(own, "release", memory);
}

void copy_to_another_device(HazardScript& script, bool is_ordered) {
  const StreamHandle here = script.stream(0);
  const StreamHandle there = script.stream(1);
  char* const from = script.tensor(0);
  char* const to = script.tensor(1);
  script.copy(here, "copy", to, from);
  if (is_ordered) script.order(there, here);
  script.machine.submit(HazardScript::on(1), there, {.name = "kernel", .cost_ns = 1000});
  script.finder.begin_operator(1, {"sum"});
  script.machine.add_accesses(HazardScript::on(1), there, {reads(to)});
  script.finder.end_operator(1);
}

void wait_for_the_step_before(HazardScript& script, bool is_ordered) {
  const StreamHandle maker = script.stream();
  const StreamHandle user = script.stream();
  char* const batch = script.tensor();
  const EventHandle made = script.event();
  script.kernel(maker, "first", {writes(batch)});
  script.record(made, maker);
  script.wait(user, made);
  script.kernel(maker, "second", {writes(batch)});
  script.record(made, maker);
  if (is_ordered) script.wait(user, made);
  script.kernel(user, "sum", {reads(batch)});
}

void host_waits_for_another_stream(HazardScript& script, bool is_ordered) {
  const StreamHandle copies = script.stream();
  const StreamHandle work = script.stream();
  char* const batch = script.tensor();
  char* const pinned = script.pinned();
  script.copy(copies, "copy", batch, pinned);
  script.machine.synchronize_stream(script.me, is_ordered ? copies : work);
  script.host("fill_next", writes(pinned));
}

void two_graphs_of_one_pool(HazardScript& script, bool is_ordered) {
  const StreamHandle one = script.stream();
  const StreamHandle other = script.stream();
  char* const scratch = script.tensor();
  const GraphHandle first = captured_step(script, one, "encode", {writes(scratch), reads(scratch)});
  const GraphHandle second = captured_step(script, other, "decode", {writes(scratch), reads(scratch)});
  script.launch(first, one);
  if (is_ordered) script.order(other, one);
  script.launch(second, other);
}

void one_buffer_for_two_batches(HazardScript& script, bool is_ordered) {
  const StreamHandle copies = script.stream();
  const StreamHandle work = script.stream();
  char* const batch = script.tensor();
  const char* const pinned = script.pinned();
  script.copy(copies, "copy_first", batch, pinned);
  script.order(work, copies);
  script.kernel(work, "linear", {reads(batch)});
  if (is_ordered) script.order(copies, work);
  script.copy(copies, "copy_next", batch, pinned);
}

const PlantedRace planted_races[] = {
    {"ReadOnAnotherStream", "fill", "sum", "read after write", read_on_another_stream},
    {"EventBeforeTheCopy", "copy", "linear", "read after write", event_before_the_copy},
    {"GradientOfTwoStreams", "add_one", "add_other", "write after write", gradient_of_two_streams},
    {"FreedBlockUsedAgain", "use", "make_next", "write after read", freed_block_used_again},
    {"BlockRecordedAndNotAsked", "use", "make_next", "write after read", block_recorded_and_not_asked},
    {"GraphInputOverwritten", "matmul", "copy", "write after read", graph_input_overwritten},
    {"GraphOutputRead", "loss", "log", "read after write", graph_output_read},
    {"PinnedBatchFilledAgain", "copy", "fill_next", "write after read", pinned_batch_filled_again},
    {"PinnedResultReadEarly", "copy", "item", "read after write", pinned_result_read_early},
    {"CollectiveWithoutWait", "backward", "allreduce", "read after write", collective_without_wait},
    {"OptimizerBeforeTheCollectiveEnds", "allreduce", "adam", "read after write", optimizer_before_the_collective_ends},
    {"OptimizerOnASideStream", "forward", "adam", "write after read", optimizer_on_a_side_stream},
    {"DefaultStreamAndAFreeOne", "fill", "sum", "read after write", default_stream_and_a_free_one},
    {"GradientsClearedOnASideStream", "zero", "backward", "read after write", gradients_cleared_on_a_side_stream},
    {"BranchesOfAGraph", "add_one", "add_other", "write after write", branches_of_a_graph},
    {"PooledMemoryFreedEarly", "use", "release", "write after read", pooled_memory_freed_early},
    {"CopyToAnotherDevice", "copy", "sum", "read after write", copy_to_another_device},
    {"WaitForTheStepBefore", "second", "sum", "read after write", wait_for_the_step_before},
    {"HostWaitsForAnotherStream", "copy", "fill_next", "write after read", host_waits_for_another_stream},
    {"TwoGraphsOfOnePool", "encode", "decode", "write after write", two_graphs_of_one_pool},
    {"OneBufferForTwoBatches", "linear", "copy_next", "write after read", one_buffer_for_two_batches},
};

class PlantedRaces : public testing::TestWithParam<PlantedRace> {};

TEST_P(PlantedRaces, IsFoundOnceWithBothOperators) {
  HazardScript script;
  GetParam().run(script, false);
  const std::vector<Hazard> found = script.finder.hazards();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(script.operator_of(found[0].earlier), GetParam().earlier);
  EXPECT_EQ(script.operator_of(found[0].later), GetParam().later);
  EXPECT_THAT(std::string(name_of_hazard(found[0])), testing::HasSubstr(GetParam().kind));
  EXPECT_FALSE(script.finder.origins().at(found[0].earlier.origin).offsets.empty());
  EXPECT_FALSE(script.finder.origins().at(found[0].later.origin).offsets.empty());
}

TEST_P(PlantedRaces, IsNotFoundWhereTheProgramOrdersIt) {
  HazardScript script;
  GetParam().run(script, true);
  EXPECT_TRUE(script.finder.hazards().empty());
  EXPECT_EQ(script.finder.totals().repeated, 0U);
  EXPECT_GT(script.finder.totals().accesses, 1U);
}

INSTANTIATE_TEST_SUITE_P(All, PlantedRaces, testing::ValuesIn(planted_races),
                         [](const testing::TestParamInfo<PlantedRace>& race) { return std::string(race.param.name); });

}  // namespace
}  // namespace stepgate::emulator
