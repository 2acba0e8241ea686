#include "cli/options/option_value.h"

#include <gmock/gmock.h>

#include <map>
#include <string>

#include "cli/command_line.h"
#include "cli/commands/command_ab.h"
#include "cli/commands/command_gate.h"
#include "cli/commands/command_run.h"
#include "cli/studies/command_profile.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(OptionValue, CountsOutsideTheirRangeAreRefusedWithTheRange) {
  for (const char* value : {"0", "100000000", "99999999999999999999", "3.5", "abc", "7x", "nan"}) {
    EXPECT_THAT(refusal_of(std::string("gate --exact-replicates ") + value),
                AllOf(HasSubstr("--exact-replicates"), HasSubstr(value), HasSubstr("from 1 to 10000")));
  }
  EXPECT_EQ(options_of<GateCommand>("gate --exact-replicates 1").run.exact_replicates, 1);
  EXPECT_EQ(options_of<GateCommand>("gate --exact-replicates 10000").run.exact_replicates, 10'000);
}

TEST(OptionValue, SecondsAreFiniteAndInRange) {
  for (const char* value : {"nan", "inf", "1e300", "604801", "0x10", "abc", "5s"}) {
    EXPECT_THAT(refusal_of(std::string("gate --wait-lock ") + value),
                AllOf(HasSubstr("--wait-lock"), HasSubstr(value), HasSubstr("seconds from 0 to 604800")));
  }
  EXPECT_EQ(options_of<GateCommand>("gate --wait-lock 0").run.machine.quiet.wait_lock_s, 0);
  EXPECT_EQ(options_of<GateCommand>("gate --wait-lock 1.5e2").run.machine.quiet.wait_lock_s, 150);
}

TEST(OptionValue, ATimeoutOfZeroIsRefusedAndABudgetOfZeroIsNoLimit) {
  EXPECT_THAT(refusal_of("gate --timeout 0"), HasSubstr("seconds above 0"));
  EXPECT_EQ(options_of<AbCommand>("ab --budget 0").run.limits.budget_s, 0);
}

TEST(OptionValue, ANegativeNumberIsRefusedWithWhatIsAccepted) {
  for (const char* option : {"budget", "session-gap", "replicates", "seed", "wait-lock"}) {
    for (const char* between : {" ", "="}) {
      EXPECT_THAT(refusal_of(std::string("gate --") + option + between + "-1"),
                  AllOf(HasSubstr(option), HasSubstr(" from ")));
    }
  }
}

TEST(OptionValue, AChoiceNamesAllOfItsValues) {
  EXPECT_THAT(refusal_of("gate --tier exakt"),
              HasSubstr("--tier does not accept 'exakt' | did you mean 'exact'? one of: exact, timed, all"));
}

TEST(OptionValue, ParametersAreNamedOnceEach) {
  using Params = std::map<std::string, std::string>;
  EXPECT_EQ(options_of<ProfileCommand>("profile a --param model=naive --param rate=a=b").params,
            (Params{{"model", "naive"}, {"rate", "a=b"}}));
  for (const char* refused : {"--param model", "--param =naive", "--param model=", "--param m=1 --param m=2"}) {
    EXPECT_THAT(refusal_of(std::string("profile a ") + refused), HasSubstr("NAME=VALUE, each name once")) << refused;
  }
  EXPECT_THAT(refusal_of("profile --trace t.json --param m=1"), HasSubstr("--param"));
}

TEST(OptionValue, AProfileKeepsOneTrace) {
  EXPECT_THAT(refusal_of("profile a --schedule active=2,repeat=0"), HasSubstr("repeat is a whole number from 1 to 20"));
  EXPECT_THAT(refusal_of("profile a --schedule active=7,repeat=3"),
              HasSubstr("21 steps would be traced, at most 20 are"));
  EXPECT_THAT(refusal_of("profile a --schedule repeat=5"), HasSubstr("25 steps would be traced"))
      << "5 active by default";
  EXPECT_EQ(options_of<ProfileCommand>("profile a --schedule active=2,repeat=10").schedule, "active=2,repeat=10");
}

TEST(OptionValue, AnEmptyTextIsRefused) {
  EXPECT_THAT(refusal_of("gate --out \"\""), HasSubstr("--out does not accept '' | give a folder"));
}

TEST(OptionValue, NamesOfVariablesHaveNoValues) {
  EXPECT_EQ(options_of<GateCommand>("gate --pass-env MY_DATA,_mode2 --pass-env X").run.measuring.pass_env,
            (std::vector<std::string>{"MY_DATA", "_mode2", "X"}));
  for (const char* value : {"A=secret", "A,,B", "A,", "2B", "A-B", ","}) {
    EXPECT_THAT(refusal_of(std::string("gate --pass-env ") + value), HasSubstr("without values")) << value;
  }
  EXPECT_THAT(refusal_of("gate --pass-env OMP_NUM_THREADS"), HasSubstr("changes what is measured"));
}

TEST(OptionValue, ARateOfRequestsIsANumberWithBounds) {
  EXPECT_EQ(options_of<RunCommand>("run a --request-rate 62.5").request_rate, "62.5");
  EXPECT_EQ(options_of<GateCommand>("gate --request-rate 1e3").run.request_rate, "1e3");
  for (const char* rate : {"0", "-1", "0.0009", "1e10", "fast", "nan", "inf", "10/s"}) {
    EXPECT_THAT(refusal_of(std::string("run a --request-rate ") + rate), HasSubstr("a number of requests in a second"))
        << rate;
  }
  EXPECT_THAT(refusal_of("sweep a --vary batch_size=1,2 --request-rate 10"), HasSubstr("--request-rate"))
      << "it varies the rate as a parameter";
}

TEST(OptionValue, SeedsTakeAll64Bits) {
  EXPECT_EQ(options_of<GateCommand>("gate --seed 18446744073709551615").run.measuring.seed, UINT64_MAX);
  EXPECT_THAT(refusal_of("gate --seed 18446744073709551616"), HasSubstr("--seed"));
}

}  // namespace
}  // namespace stepgate
