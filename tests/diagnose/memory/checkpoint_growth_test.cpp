#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/injected_operators.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

SampleCase with_checkpoints(std::int64_t before, std::int64_t now) {
  SampleCase sample = trained_sample();
  sample.portable.bytes["checkpoint_bytes"] = {before};
  sample.current.bytes["checkpoint_bytes"] = {now};
  return sample;
}

TEST(CheckpointGrowth, NamesBothSizes) {
  SampleCase sample = with_checkpoints(4096, 8192);
  sample.red("checkpoint_bytes");
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "checkpoint-grew");
  EXPECT_THAT(causes[0].message, HasSubstr("a checkpoint has"));
  EXPECT_THAT(causes[0].advice, HasSubstr("save_checkpoint()"));
}

TEST(CheckpointGrowth, OfALargerModelIsPartOfThat) {
  SampleCase sample = with_checkpoints(4096, 8192);
  sample.current.ledger->bytes["parameters"] = 2048;
  sample.red("checkpoint_bytes");
  const auto causes = only_causes(diagnose(sample.input()));
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_EQ(name_of(causes[0].code), "parameters-added");
}

TEST(CheckpointGrowth, IsSilentWhereItIsNotRed) {
  EXPECT_THAT(explain_checkpoint(with_checkpoints(4096, 8192).input()), IsEmpty());
}

}  // namespace
}  // namespace stepgate
