// Scripts that play a program on an emulated GPU: they write the order of their work where the launcher asks for it.
#include "launch/emulated/value_need.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/records/run_record_json.h"
#include "launch/replicate/values_refusal.h"
#include "support/fake_program.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

/// Sets $order to the file, and $other to "yes" where the GPU delivers other numbers. A line in $here/log each.
constexpr const char* script_head = R"sh(
echo process >> "$here/log"
case $STEPGATE_EMULATED_GPU in *" order="*) order=${STEPGATE_EMULATED_GPU##* order=}; order=${order%% *} ;; *) order=/dev/null ;; esac
case $STEPGATE_EMULATED_GPU in *answers=other*) other=yes ;; *) other= ;; esac
)sh";

class ValueNeed : public testing::Test {
 protected:
  /// The only replicate of group exact.
  Replicate measured(const std::string& body, const EmulatedDevice& device = {}, bool known = false) {
    program_.emplace(script_head + body);
    LaunchRequest request = program_->request({Group::exact});
    request.device = Device::cuda;
    request.knows_need_of_values = known;
    request.emulated = EmulatedGpu{.device = device, .folder = program_->folder().path() / "emulated_gpu"};
    program_->folder().write("emulated_gpu/libstepgate_emulated_values.so", "");
    RunRecord more = valid_record(Group::exact, 0);
    more.counts->per_step["operators_per_step"] = {7, 8};
    program_->folder().write("more.json", to_text(more));
    const Measurement measurement = measure_case(request, {});
    EXPECT_THAT(measurement.replicates, SizeIs(1));
    return measurement.replicates.at(0);
  }
  std::int64_t processes() const { return program_->lines_in("log"); }
  bool has_file(const std::string& name) const { return fs::exists(program_->folder().path() / "out" / name); }

 private:
  std::optional<FakeProgram> program_;
};

constexpr const char* loop_that_reads = R"sh(
printf 'kernel a by mul\ncopy device 0 stream 1 device_to_host bytes 4 by _local_scalar_dense\nkernel b by add\n' > "$order"
good
)sh";

TEST_F(ValueNeed, CountsAreEnoughWhereOtherNumbersChangeNothing) {
  const Replicate replicate = measured(loop_that_reads);
  EXPECT_FALSE(replicate.failure) << replicate.failure->message;
  EXPECT_TRUE(replicate.record);
  EXPECT_EQ(processes(), 3);
  for (const char* run : {"order", "other", "again"}) {
    for (const char* kind : {"record.json", "order.txt", "output.txt"}) {
      EXPECT_FALSE(has_file(std::string(run) + "-00-0." + kind)) << run << kind;
    }
  }
}

TEST_F(ValueNeed, AnotherWayNamesWhatItReadAndWhatCameThen) {
  const Replicate replicate = measured(std::string(loop_that_reads) + R"sh(
[ -n "$other" ] && sed -i 's/add/sub/' "$order"
exit 0
)sh");
  ASSERT_TRUE(replicate.failure);
  EXPECT_EQ(replicate.failure->kind, FailureKind::needs_values);
  EXPECT_THAT(replicate.failure->message,
              AllOf(HasSubstr("after aten::_local_scalar_dense it goes on with aten::add, and with other numbers with "
                              "aten::sub (line 3 of its order of work)"),
                    HasSubstr("--device emulated:h100:values")));
  EXPECT_FALSE(replicate.record) << "counts of one way of several";
  EXPECT_TRUE(has_file("order-00-0.order.txt")) << "a person may look";
}

TEST_F(ValueNeed, AProcessThatStopsEarlierGoesAnotherWay) {
  const Replicate replicate = measured(std::string(loop_that_reads) + R"sh(
[ -n "$other" ] && sed -i '3d' "$order"
exit 0
)sh");
  ASSERT_TRUE(replicate.failure);
  EXPECT_THAT(replicate.failure->message, HasSubstr("with other numbers with its end (line 3"));
}

TEST_F(ValueNeed, AnotherCountIsEnough) {
  const Replicate replicate = measured(std::string(loop_that_reads) + R"sh(
[ -n "$other" ] && cp "$here/more.json" "$record"
exit 0
)sh");
  ASSERT_TRUE(replicate.failure);
  EXPECT_EQ(replicate.failure->kind, FailureKind::needs_values);
  EXPECT_THAT(replicate.failure->message,
              HasSubstr("operators_per_step is 7, and 8 with other numbers, in counted step 1"));
}

TEST_F(ValueNeed, AProcessThatFailsWithOtherNumbersNeedsValues) {
  const Replicate replicate = measured(std::string(loop_that_reads) + R"sh(
[ -n "$other" ] && kill -SEGV $$
exit 0
)sh");
  ASSERT_TRUE(replicate.failure);
  EXPECT_EQ(replicate.failure->kind, FailureKind::needs_values);
  EXPECT_THAT(replicate.failure->message, HasSubstr("killed by signal 11"));
}

TEST_F(ValueNeed, AnOrderThatDiffersByItselfShowsNothing) {
  const Replicate replicate = measured("echo kernel $$ > \"$order\"; good");
  ASSERT_TRUE(replicate.failure);
  EXPECT_EQ(replicate.failure->kind, FailureKind::bad_record);
  EXPECT_THAT(replicate.failure->message, HasSubstr("two processes with equal numbers differ"));
  EXPECT_FALSE(replicate.record) << "what nothing shows is not green";
}

TEST_F(ValueNeed, WithoutAnyOrderNothingIsShown) {
  const Replicate replicate = measured("good");
  ASSERT_TRUE(replicate.failure) << "two empty orders are equal";
  EXPECT_EQ(replicate.failure->kind, FailureKind::bad_record);
  EXPECT_THAT(replicate.failure->message, HasSubstr("wrote no order"));
  EXPECT_EQ(processes(), 2);
}

TEST_F(ValueNeed, EachRankIsCompared) {
  const Replicate replicate = measured(std::string(loop_that_reads) + R"sh(
echo rank > "$order.rank0"
echo "rank $other" > "$order.rank1"
)sh");
  ASSERT_TRUE(replicate.failure);
  EXPECT_THAT(replicate.failure->message, HasSubstr("'rank yes' (line 1"));
}

TEST_F(ValueNeed, ARankWithoutThoseBeforeItIsCompared) {
  const Replicate replicate = measured(R"sh(
[ "$order" = /dev/null ] || echo "rank $other" > "$order.rank1"
good
)sh");
  ASSERT_TRUE(replicate.failure) << "the user set RANK=1";
  EXPECT_THAT(replicate.failure->message, HasSubstr("'rank yes' (line 1"));
}

TEST_F(ValueNeed, ProcessesWithoutARankAreComparedWhateverTheirNumbers) {
  constexpr const char* starts_two = R"sh(
[ "$order" = /dev/null ] && exit 0
first=1 second=2
[ -n "$other" ] && first=2 second=1
echo "kernel $first" > "$order.1$$"
echo "kernel $second" > "$order.2$$"
)sh";
  EXPECT_FALSE(measured(std::string(loop_that_reads) + starts_two).failure) << "they came in another order";
  const Replicate replicate =
      measured(std::string(loop_that_reads) + starts_two + "[ -n \"$other\" ] && echo more >> \"$order.1$$\"; exit 0");
  ASSERT_TRUE(replicate.failure);
  EXPECT_EQ(replicate.failure->kind, FailureKind::needs_values);
  EXPECT_THAT(replicate.failure->message, HasSubstr("with other numbers with 'more' (line 2"));
}

TEST_F(ValueNeed, AnotherNumberOfProcessesWithoutARankShowsNothing) {
  const Replicate replicate = measured(std::string(loop_that_reads) + R"sh(
[ -n "$other" ] && echo "kernel a" > "$order.$$"
exit 0
)sh");
  ASSERT_TRUE(replicate.failure);
  EXPECT_EQ(replicate.failure->kind, FailureKind::bad_record);
  EXPECT_THAT(replicate.failure->message,
              HasSubstr("0 of its processes without a rank gave the GPU work in one run, and 1 in another one"));
}

TEST_F(ValueNeed, OrdersOfAllProcessesAreRemoved) {
  const Replicate replicate = measured(std::string(loop_that_reads) + R"sh(
[ "$order" = /dev/null ] && exit 0
echo kernel > "$order.4242"
echo kernel > "$order.rank7"
)sh");
  EXPECT_FALSE(replicate.failure) << replicate.failure->message;
  for (const char* ending : {"", ".4242", ".rank7"}) {
    EXPECT_FALSE(has_file(std::string("order-00-0.order.txt") + ending)) << ending;
    EXPECT_FALSE(has_file(std::string("other-00-0.order.txt") + ending)) << ending;
  }
}

TEST_F(ValueNeed, AFailureOfTheProcessThatWritesTheOrderIsOne) {
  const Replicate replicate = measured("[ \"$order\" = /dev/null ] || exit 9; good");
  ASSERT_TRUE(replicate.failure);
  EXPECT_EQ(replicate.failure->kind, FailureKind::exited_nonzero);
  EXPECT_THAT(replicate.failure->message, HasSubstr("the process that writes the order of its work"));
}

TEST_F(ValueNeed, ADeviceThatIsMissingOnlyThereIsAFailureToo) {
  const Replicate replicate = measured("[ \"$order\" = /dev/null ] || exit 77; good");
  ASSERT_TRUE(replicate.failure);
  EXPECT_EQ(replicate.failure->kind, FailureKind::exited_nonzero) << "else the case would be skipped";
  EXPECT_THAT(replicate.failure->message, HasSubstr("the process that writes the order of its work"));
}

TEST_F(ValueNeed, AnOrderThatWasCutShowsNothing) {
  const Replicate replicate = measured("printf 'kernel a by mul\\norder is cut here\\n' > \"$order\"; good");
  ASSERT_TRUE(replicate.failure) << "nobody knows the rest of both";
  EXPECT_EQ(replicate.failure->kind, FailureKind::bad_record);
  EXPECT_THAT(replicate.failure->message, HasSubstr("longer than 64 MiB"));
}

TEST_F(ValueNeed, WhatIsInPlaceOfAnOrderIsRefused) {
  const Replicate replicate = measured("[ \"$order\" = /dev/null ] || mkfifo \"$order\"; good");
  ASSERT_TRUE(replicate.failure);
  EXPECT_EQ(replicate.failure->kind, FailureKind::bad_record);
  EXPECT_THAT(replicate.failure->message, HasSubstr("FIFO"));
}

TEST_F(ValueNeed, AnOperatorThatReadsItsSizeSaysSo) {
  const Replicate replicate = measured(
      "echo 'stepgate: the emulated GPU computes nothing in counts mode, and aten::nonzero reads it.' >&2; exit 79");
  ASSERT_TRUE(replicate.failure);
  EXPECT_EQ(replicate.failure->kind, FailureKind::needs_values);
  EXPECT_EQ(replicate.failure->message, "in counts mode nothing is computed, and aten::nonzero reads it.");
  EXPECT_EQ(processes(), 1);
}

TEST_F(ValueNeed, AProgramsOwnStatusIsNone) {
  const Replicate replicate = measured("exit 79");
  ASSERT_TRUE(replicate.failure);
  EXPECT_EQ(replicate.failure->kind, FailureKind::exited_nonzero);
}

TEST_F(ValueNeed, WhatIsKnownIsNotAskedAgain) {
  EXPECT_FALSE(measured(loop_that_reads, {}, true).failure);
  EXPECT_EQ(processes(), 1);
}

TEST_F(ValueNeed, WithValuesNothingIsAsked) {
  const Replicate replicate = measured(loop_that_reads, {.model = "h100", .devices = 1, .values = true});
  EXPECT_FALSE(replicate.failure);
  EXPECT_EQ(processes(), 1);
}

TEST(DifferingCount, LeavesTimesAndMemoryOfTheHostOut) {
  RunRecord held = valid_record(Group::exact, 0);
  held.memory.emplace();
  held.memory->series = {{"peak_reserved_bytes", {10}}, {"host_heap_bytes", {5}}};
  held.counts->per_step["graph_recording_ns"] = {1, 1};
  held.counts->per_step["loader_samples_per_s"] = {1, 1};
  RunRecord other = held;
  EXPECT_EQ(differing_count(held, other), "");
  other.counts->per_step["graph_recording_ns"] = {2, 2};
  other.counts->per_step["loader_samples_per_s"] = {2, 2};
  other.memory->series["host_heap_bytes"] = {6};
  EXPECT_EQ(differing_count(held, other), "");
  other.memory->series["peak_reserved_bytes"] = {12};
  EXPECT_EQ(differing_count(held, other), "peak_reserved_bytes is 10, and 12 with other numbers, in counted step 0");
}

TEST(DifferingCount, ASeriesOfOneSideDiffers) {
  const RunRecord held = valid_record(Group::exact, 0);
  RunRecord other = held;
  other.counts->per_step["kernels_per_step"] = {1, 1};
  EXPECT_THAT(differing_count(held, other), HasSubstr("kernels_per_step was measured in one of two processes only"));
  EXPECT_THAT(differing_count(other, held), HasSubstr("kernels_per_step"));
  other = held;
  other.counts->per_step["operators_per_step"] = {7};
  EXPECT_THAT(differing_count(held, other), HasSubstr("has 2 values, and 1 with other numbers"));
}

TEST(OrderDifference, NamesThePlaceOfTheReadBefore) {
  const auto difference = order_difference("copy device_to_host by item at 1f\nkernel a by mul\n",
                                           "copy device_to_host by item at 1f\nkernel a by add\n");
  EXPECT_EQ(text_of(*difference, "train.cpp:88"),
            "after aten::item at train.cpp:88 it goes on with aten::mul, and with other numbers with aten::add (line 2 "
            "of its order of work)");
}

TEST(OrderDifference, OfOneOperatorShowsTheWork) {
  const auto difference = order_difference("kernel a by mul\n", "kernel b by mul\n");
  EXPECT_EQ(
      text_of(*difference, ""),
      "it goes on with aten::mul 'kernel a', and with other numbers with aten::mul 'kernel b' (line 1 of its order "
      "of work)");
}

}  // namespace
}  // namespace stepgate
