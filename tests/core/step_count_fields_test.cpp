#include "core/step_count_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace stepgate {
namespace {

using testing::ElementsAre;

TEST(StepCountFields, KeepTheOrderThatFilesHave) {
  std::vector<std::string> names;
  for (const StepCountField& field : step_count_fields) names.emplace_back(field.name);
  EXPECT_THAT(names, ElementsAre("e2e", "window", "requests", "open_requests", "phase", "synthetic", "loader", "h2d",
                                 "logging", "checkpoint", "device_work", "counts", "memory", "numerics", "instructions",
                                 "checkpoint_bytes", "profile", "exact_warmup", "warmup_cap"))
      << "baselines are keyed by the counts in this order";
}

TEST(StepCountFields, NameEachMemberOnce) {
  StepCounts steps;
  std::int64_t number = 0;
  for (const StepCountField& field : step_count_fields) steps.*field.member = ++number;
  std::set<std::int64_t> numbers;
  for (const StepCountField& field : step_count_fields) numbers.insert(steps.*field.member);
  EXPECT_EQ(numbers.size(), sizeof(StepCounts) / sizeof(std::int64_t));
}

TEST(StepCountFields, LeaveOutAnOptionalPassWithoutSteps) {
  const StepCountField optional{"e2e", &StepCounts::e2e, Group::timed, 0, true};
  EXPECT_TRUE(is_left_out(optional, {.e2e = 0}));
  EXPECT_FALSE(is_left_out(optional, {.e2e = 1}));
  const StepCountField warmup{"exact_warmup", &StepCounts::exact_warmup, Group::exact, 0, false};
  EXPECT_FALSE(is_left_out(warmup, {.exact_warmup = 0}));
}

}  // namespace
}  // namespace stepgate
