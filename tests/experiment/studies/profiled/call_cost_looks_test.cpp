#include "experiment/studies/profiled/call_cost_looks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/repeated_place.h"
#include "judge/studies/repeated_block.h"

namespace stepgate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> names_in(const LaunchRequest& request) {
  std::vector<std::string> names;
  for (const RepeatedPlace& place : request.repeats) names.push_back(place.name);
  return names;
}

/// Processes in which "plain" costs 30 % of the step and "loud" 10 %, some 4 % more or less in the first look and 1 %
/// in the second.
class Machine {
 public:
  Measurement measure(const LaunchRequest& request) {
    const double noise = requests.empty() ? 0.04 : 0.01;
    requests.push_back(request);
    Measurement measurement;
    for (std::int64_t i = 0; i < request.plan.timed_replicates; ++i) {
      Replicate& replicate = measurement.replicates.emplace_back();
      replicate.group = Group::profile;
      replicate.index = i;
      ProfileRun& run = replicate.record.emplace().profile.emplace();
      run.repeats = {repeated_block(unchanged_calls, 1), repeated_block(passed_calls, 1)};
      for (const RepeatedPlace& place : request.repeats) {
        run.repeated_calls[place.name] = 1;
        run.repeats.push_back(repeated_block(place.name, cost_of(place.name, i % 2 == 0 ? noise : -noise, i)));
      }
    }
    if (fails) measurement.replicates.front().failure.emplace().kind = FailureKind::crashed;
    return measurement;
  }

  double cost_of(const std::string& place, double noise, std::int64_t process) const {
    if (place == "plain") return 1.3;
    if (place == "steady") return 1.1 + (process % 2 == 0 ? steady_noise : -steady_noise);
    return 1.1 + noise;
  }

  std::vector<LaunchRequest> requests;
  bool fails = false;
  double steady_noise = 0;  ///< of "steady", in any look
};

class CallCostLooks : public testing::Test {
 protected:
  CallCostLooks() {
    for (const char* name : {"plain", "loud"}) {
      places_.push_back({.at = {}, .name = name});
      request_.repeats.push_back({.name = name, .offsets = {1}});
    }
    places_[0].observed = 0.3;
    places_[1].observed = 0.1;
    request_.plan.timed_replicates = 6;
    request_.out_dir = "out/repeats";
  }

  std::vector<CallCost> costs(std::int64_t further) {
    return measured_call_costs({.places = places_,
                                .request = request_,
                                .further_processes = further,
                                .measure = [&](const LaunchRequest& request) { return machine_.measure(request); }});
  }

  Machine machine_;
  LaunchRequest request_;
  std::vector<CallCost> places_;
};

TEST_F(CallCostLooks, ASecondLookRunsThePlacesThatAreToldTooWidely) {
  const auto found = costs(10);
  ASSERT_EQ(machine_.requests.size(), 2U);
  EXPECT_THAT(names_in(machine_.requests[0]), ElementsAre("plain", "loud"));
  EXPECT_THAT(names_in(machine_.requests[1]), ElementsAre("loud"));
  EXPECT_EQ(machine_.requests[1].plan.timed_replicates, 10);
  EXPECT_EQ(machine_.requests[1].out_dir, "out/repeats-6");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].processes, 6) << "plain";
  EXPECT_EQ(found[1].processes, 16) << "loud";
  EXPECT_LT(found[1].interval->upper - found[1].interval->lower, 0.05);
}

/// Where a second look may follow, the first one has a fifth of the error.
TEST_F(CallCostLooks, AFirstLookOfTwoIsToldMoreWidely) {
  places_.erase(places_.begin());
  request_.repeats.erase(request_.repeats.begin());
  request_.repeats.front().name = places_.front().name = "steady";
  const auto width = [](const std::vector<CallCost>& found) {
    return found[0].interval->upper - found[0].interval->lower;
  };
  machine_.steady_noise = 0.005;
  const double alone = width(costs(0));
  machine_.requests.clear();
  const double of_two = width(costs(10));
  ASSERT_EQ(machine_.requests.size(), 1U) << "it is narrow enough";
  EXPECT_GT(of_two, 1.4 * alone);
}

TEST_F(CallCostLooks, OneLookIsAllThatIsAskedFor) {
  const auto found = costs(0);
  EXPECT_EQ(machine_.requests.size(), 1U);
  EXPECT_EQ(found[1].processes, 6);
  EXPECT_GT(found[1].interval->upper - found[1].interval->lower, 0.05);
}

TEST_F(CallCostLooks, NothingFollowsAProcessThatFailedOrPlacesThatAreAllTold) {
  machine_.fails = true;
  costs(10);
  EXPECT_EQ(machine_.requests.size(), 1U);
  machine_.fails = false;
  machine_.requests.clear();
  places_.pop_back();
  request_.repeats.pop_back();
  costs(10);
  EXPECT_EQ(machine_.requests.size(), 1U);
}

}  // namespace
}  // namespace stepgate
