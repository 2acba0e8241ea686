// Five sessions without spread: s = .02 sqrt(4/8) = 1.41 %, se = 1.55 %, t.isf(.025, 8) = 2.306: 3.57 % either way.
#include "judge/verdict/machine_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace stepgate {
namespace {

using MachineOutcome = MachineCheck::Outcome;
const std::vector<double> sessions(5, 0.0);

MachineCheck at(double change) {
  const std::vector<double> base{std::log1p(change) + 0.001, std::log1p(change) - 0.001};
  return check_machine(base, sessions, Policy{});
}

TEST(MachineCheck, TellsASlowerMachineFromAStillOne) {
  EXPECT_EQ(at(0.02).outcome, MachineOutcome::still);
  EXPECT_EQ(at(0.05).outcome, MachineOutcome::slower);
  EXPECT_EQ(at(-0.05).outcome, MachineOutcome::faster);
  EXPECT_NEAR(at(0).tolerance, std::expm1(0.0357), 1e-4);
}

TEST(MachineCheck, GivesASentence) {
  EXPECT_EQ(describe(at(0.081)), "the machine moved: the base is slower here too (+8.1 % against its stored sessions)");
  EXPECT_EQ(describe(at(0)), "");
}

TEST(MachineCheck, NothingStoredSaysNothing) {
  EXPECT_EQ(check_machine(sessions, {}, Policy{}).outcome, MachineOutcome::absent);
  EXPECT_EQ(check_machine({}, sessions, Policy{}).outcome, MachineOutcome::absent);
  EXPECT_EQ(describe(check_machine({}, sessions, Policy{})), "");
}

}  // namespace
}  // namespace stepgate
