#include <gtest/gtest.h>

#include "measure/program/asked_case.h"

namespace stepgate {
namespace {

std::int64_t open_requests_of(const Case& declared, const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {"--stepgate_case=" + declared.name, "--stepgate_group=timed",
                                  "--stepgate_record=/r/timed.json"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const PerftestArguments parsed = parse_perftest_arguments(all);
  return settings_for(with_params(declared, parsed.params), parsed).steps.open_requests;
}

Case answering_case(const StepCounts& steps) {
  Case declared{.name = "toy/answers/tiny"};
  declared.steps = steps;
  return declared;
}

TEST(AskedCase, ARateAsksForAnOpenLoop) {
  const Case closed = answering_case({.requests = 1000});
  EXPECT_EQ(open_requests_of(closed, {}), 0);
  EXPECT_EQ(open_requests_of(closed, {"--stepgate_param=batch_size=8"}), 0);
  EXPECT_EQ(open_requests_of(closed, {"--stepgate_param=request_rate_per_s=120"}), 2000);
}

TEST(AskedCase, TheCaseOrAnOptionSaysHowLongItIs) {
  const Case open = answering_case({.requests = 1000, .open_requests = 300});
  EXPECT_EQ(open_requests_of(open, {"--stepgate_param=request_rate_per_s=120"}), 300);
  EXPECT_EQ(open_requests_of(open, {"--stepgate_param=request_rate_per_s=120", "--stepgate_steps=open_requests=500"}),
            500);
  EXPECT_EQ(open_requests_of(answering_case({}),
                             {"--stepgate_param=request_rate_per_s=120", "--stepgate_steps=open_requests=500"}),
            500);
}

}  // namespace
}  // namespace stepgate
