#include "emulator/machine/size_reads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "emulator/machine/emulated_machine.h"

namespace stepgate::emulator {
namespace {

TEST(SizeReads, OperatorsAreKnownByTheirNames) {
  EXPECT_TRUE(is_sized_by_values("nonzero"));
  EXPECT_TRUE(is_sized_by_values("nonzero_out"));
  EXPECT_TRUE(is_sized_by_values("repeat_interleave_Tensor"));
  EXPECT_FALSE(is_sized_by_values("nonzero_static"));
  EXPECT_FALSE(is_sized_by_values("_local_scalar_dense"));
  EXPECT_FALSE(is_sized_by_values(""));
}

TEST(SizeReads, TheTextSaysWhichOperatorAndWhatNext) {
  EXPECT_THAT(values_needed_text("nonzero"),
              testing::AllOf(testing::StartsWith("stepgate: the emulated GPU computes nothing in counts mode, and "
                                                 "aten::nonzero reads"),
                             testing::HasSubstr("--device emulated:MODEL:values"), testing::EndsWith(".\n")));
}

TEST(SizeReads, ACopyOutsideOfSuchAnOperatorGoesOn) {
  EmulatedMachine machine(read_machine_options("h100"));
  SizeReads reads;
  machine.add_observer(reads);
  const Caller me{.thread = 1, .function = "cudaMemcpyAsync"};
  void* device = machine.allocate(me, 4).address;
  int number = 0;
  EXPECT_EQ(machine.copy(me, {.to = &number, .from = device, .bytes = sizeof number}), Outcome::ok);
}

}  // namespace
}  // namespace stepgate::emulator
