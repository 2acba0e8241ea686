#include "diagnose/profile/step/costly_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

namespace stepgate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

SourceFrame in_net(const std::string& function, std::int64_t line) { return {function, "src/net.cpp", line}; }

/// One process. A percent is one of the observed step.
class ObservedProcess {
 public:
  ObservedProcess() {
    run.observed.emplace().steps = 4;
    run.observed_wall_ns = 100'000;
  }

  ObservedProcess& add(std::int64_t percent, std::vector<SourceFrame> frames, const std::string& boundary = "forward") {
    ObservedWork& work = *run.observed;
    work.places.push_back({.offsets = {work.places.size() + 1}, .frames = std::move(frames)});
    OperatorSite& site = work.sites.emplace_back();
    site.boundary = boundary;
    site.name = "aten::mm";
    site.place = work.places.size() - 1;
    site.for_forward = boundary == "backward";
    site.self_ns = percent * 1000;
    return *this;
  }

  /// So that no place has more than 90 % of the operators' time.
  ObservedProcess& with_optimizer() { return add(20, {{"Trainer::update", "src/trainer.cpp", 7}}, "optimizer"); }

  ProfileRun run;
};

std::vector<CallCost> places_of(const std::vector<ObservedProcess>& processes) {
  std::vector<const ProfileRun*> runs;
  for (const ObservedProcess& each : processes) runs.push_back(&each.run);
  return costly_places(runs);
}

/// Name and percent of the step.
std::vector<std::pair<std::string, int>> named(const std::vector<CallCost>& places) {
  std::vector<std::pair<std::string, int>> found;
  for (const CallCost& place : places) found.emplace_back(place.name, static_cast<int>(100 * place.observed + 0.5));
  return found;
}

TEST(CostlyPlaces, KnowsTheLeastAndTheMostOfAProcess) {
  ObservedProcess one, other;
  one.with_optimizer().add(30, {in_net("Net::forward", 12)});
  other.with_optimizer().add(34, {in_net("Net::forward", 12)});
  const auto places = places_of({one, other});
  ASSERT_FALSE(places.empty());
  EXPECT_EQ(places[0].name, "net.cpp:12");
  EXPECT_DOUBLE_EQ(places[0].observed, 0.32);
  ASSERT_TRUE(places[0].observed_range);
  EXPECT_DOUBLE_EQ(places[0].observed_range->lower, 0.30);
  EXPECT_DOUBLE_EQ(places[0].observed_range->upper, 0.34);
}

/// 4 observed steps of 25 us each; without observer 20 us.
TEST(CostlyPlaces, KnowsTheMostThatSecondCallsPushOutOfTheCaches) {
  ObservedProcess one, other;
  for (ObservedProcess* each : {&one, &other}) each->with_optimizer().add(30, {in_net("Net::forward", 12)});
  for (ObservedProcess* each : {&one, &other}) each->run.observed->sites.back().bytes = 4 * 1000;
  EXPECT_FALSE(places_of({one, other})[0].most_overshoot) << "no rate was measured";
  one.run.unobserved_wall_ns = 80'000;
  one.run.peaks.bandwidth = {{1 << 10, 1e8}, {1 << 20, 4e9}, {1 << 28, 1e9}};
  ASSERT_EQ(places_of({one, other})[0].name, "net.cpp:12");
  EXPECT_DOUBLE_EQ(places_of({one, other})[0].most_overshoot.value(), 0.05) << "1 us of 20, at the rate of memory";
  other.run.peaks.bandwidth = {{1 << 28, 4e8}};
  EXPECT_DOUBLE_EQ(places_of({one, other})[0].most_overshoot.value(), 0.075) << "in the other 2.5 us of 25";
}

TEST(CostlyPlaces, APlaceHasAllThatIsCalledFromItAndItsBackward) {
  ObservedProcess process;
  process.with_optimizer();
  process.add(10, {in_net("Net::attend", 5), in_net("Net::forward", 30)});
  process.add(15, {in_net("Net::attend", 5), in_net("Net::forward", 30)}, "backward");
  process.add(12, {in_net("Net::forward", 31)});
  const auto places = places_of({process});
  EXPECT_THAT(named(places), ElementsAre(testing::Pair("net.cpp:5", 25), testing::Pair("net.cpp:31", 12),
                                         testing::Pair("Net::forward", 37), testing::Pair("trainer.cpp:7", 20)));
  EXPECT_EQ(places[0].at, in_net("Net::attend", 5));
  EXPECT_EQ(places[2].at, in_net("Net::forward", 0));
  EXPECT_EQ(places[0].calls, 0);
  EXPECT_FALSE(places[0].effect);
}

TEST(CostlyPlaces, SmallPlacesAndThoseThatCallTheWholeStepAreLeftOut) {
  const SourceFrame loop{"train", "src/main.cpp", 50};
  ObservedProcess process;
  process.add(2, {in_net("Net::norm", 3), loop});
  process.add(40, {in_net("Net::forward", 4), loop});
  process.add(30, {in_net("Net::loss", 6), loop});
  EXPECT_THAT(named(places_of({process})), ElementsAre(testing::Pair("net.cpp:4", 40), testing::Pair("net.cpp:6", 30)));
}

/// Loaders' workers make no loop a part of the step. A worker has no frame of the loop.
TEST(CostlyPlaces, ABusyLoaderDoesNotMakeTheLoopAPlace) {
  const SourceFrame loop{"train", "src/main.cpp", 50};
  ObservedProcess process;
  process.add(40, {in_net("Net::forward", 4), loop});
  process.add(30, {in_net("Net::loss", 6), loop});
  process.add(90, {{"Photos::decode", "src/photos.cpp", 9}}, "data_wait");
  EXPECT_THAT(named(places_of({process})), ElementsAre(testing::Pair("net.cpp:4", 40), testing::Pair("net.cpp:6", 30),
                                                       testing::Pair("photos.cpp:9", 90)));
}

TEST(CostlyPlaces, WorkersMayTakeLongerThanTheStep) {
  ObservedProcess process;
  process.with_optimizer().add(300, {{"Photos::decode", "src/photos.cpp", 9}}, "data_wait");
  process.add(30, {in_net("Net::forward", 4)});
  EXPECT_THAT(named(places_of({process})),
              ElementsAre(testing::Pair("net.cpp:4", 30), testing::Pair("photos.cpp:9", 100),
                          testing::Pair("trainer.cpp:7", 20)));
}

TEST(CostlyPlaces, OfPlacesWithTheSameOperatorsTheInnermostLineStays) {
  const SourceFrame forward = in_net("Net::forward", 30);
  ObservedProcess process;
  process.with_optimizer();
  process.add(37, {in_net("Net::attend", 5), forward});
  process.add(3, {forward});  // 37 of 40 % are the same
  EXPECT_THAT(named(places_of({process})),
              ElementsAre(testing::Pair("net.cpp:5", 37), testing::Pair("trainer.cpp:7", 20)));
}

TEST(CostlyPlaces, AFunctionOfSeveralLinesStaysBesideThem) {
  ObservedProcess process;
  process.with_optimizer();
  process.add(24, {in_net("Net::attend", 5)}).add(16, {in_net("Net::attend", 8)});
  EXPECT_THAT(named(places_of({process})),
              ElementsAre(testing::Pair("Net::attend", 40), testing::Pair("net.cpp:5", 24),
                          testing::Pair("net.cpp:8", 16), testing::Pair("trainer.cpp:7", 20)));
}

TEST(CostlyPlaces, ALineThatIsMostOfItsFunctionStandsForIt) {
  ObservedProcess process;
  process.with_optimizer();
  process.add(34, {in_net("Net::attend", 5)}).add(6, {in_net("Net::attend", 8)});
  EXPECT_THAT(named(places_of({process})), ElementsAre(testing::Pair("net.cpp:5", 34), testing::Pair("net.cpp:8", 6),
                                                       testing::Pair("trainer.cpp:7", 20)));
}

TEST(CostlyPlaces, ACallerOfMoreThanHalfOfTheStepIsLeftOut) {
  const SourceFrame forward = in_net("Net::forward", 30);
  ObservedProcess process;
  process.with_optimizer();
  process.add(30, {in_net("Net::attend", 5), forward}).add(25, {in_net("Net::mix", 9), forward});
  EXPECT_THAT(named(places_of({process})), ElementsAre(testing::Pair("net.cpp:5", 30), testing::Pair("net.cpp:9", 25),
                                                       testing::Pair("trainer.cpp:7", 20)));
}

/// The optimizer is taken away as a whole by another experiment; what one line beside its update costs that does not
/// tell.
TEST(CostlyPlaces, ALineBesideTheUpdateOfTheOptimizerComesBeforeCallers) {
  ObservedProcess process;
  process.with_optimizer().add(6, {{"Net::limit", "src/net.cpp", 70}}, "optimizer");
  for (std::int64_t i = 0; i < 8; ++i) {
    process.add(8, {in_net("leaf" + std::to_string(i), 100 + i),
                    {"caller" + std::to_string(i / 2), "src/callers.cpp", 10 + i}});
  }
  process.add(3, {{"Photos::decode", "src/photos.cpp", 9}}, "data_wait");
  const auto places = named(places_of({process}));
  EXPECT_THAT(places, ::testing::Contains(testing::Pair("net.cpp:70", 6)));
  EXPECT_THAT(places, ::testing::Not(::testing::Contains(testing::Pair("trainer.cpp:7", 20))));
}

/// Ten leaf lines, and four functions that call two of them each.
TEST(CostlyPlaces, OfEightPlacesThreeAreCallers) {
  ObservedProcess process;
  for (std::int64_t i = 0; i < 10; ++i) {
    std::vector<SourceFrame> frames = {in_net("leaf" + std::to_string(i), 100 + i)};
    if (i < 8) frames.push_back({"caller" + std::to_string(i / 2), "src/callers.cpp", 10 + i});
    process.add(10 - i / 2, std::move(frames));
  }
  EXPECT_THAT(
      named(places_of({process})),
      ElementsAre(testing::Pair("net.cpp:100", 10), testing::Pair("net.cpp:101", 10), testing::Pair("net.cpp:102", 9),
                  testing::Pair("net.cpp:103", 9), testing::Pair("net.cpp:104", 8), testing::Pair("caller0", 20),
                  testing::Pair("caller1", 18), testing::Pair("caller2", 16)));
}

TEST(CostlyPlaces, MoreCallersFillWhatLeafPlacesLeave) {
  ObservedProcess process;
  process.with_optimizer();
  for (std::int64_t i = 0; i < 20; ++i) {  // too small alone
    process.add(2, {in_net("leaf" + std::to_string(i), 100 + i),
                    {"caller" + std::to_string(i / 4), "src/callers.cpp", 10 + i}});
  }
  EXPECT_THAT(
      named(places_of({process})),
      ElementsAre(testing::Pair("caller0", 8), testing::Pair("caller1", 8), testing::Pair("caller2", 8),
                  testing::Pair("caller3", 8), testing::Pair("caller4", 8), testing::Pair("trainer.cpp:7", 20)));
}

TEST(CostlyPlaces, WithoutLinesFunctionsArePlaces) {
  ObservedProcess process;
  process.add(40, {{"Net::forward"}, {"train"}}).add(30, {{"Net::loss"}, {"train"}});
  const auto places = places_of({process});
  EXPECT_THAT(named(places), ElementsAre(testing::Pair("Net::forward", 40), testing::Pair("Net::loss", 30)));
  EXPECT_EQ(places[0].at, SourceFrame{"Net::forward"});
}

TEST(CostlyPlaces, AFrameWithoutLineIsNoPlaceWhereLinesAreKnown) {
  ObservedProcess process;
  process.with_optimizer().add(40, {{"apply"}, in_net("Net::forward", 4)});
  EXPECT_THAT(named(places_of({process})),
              ElementsAre(testing::Pair("net.cpp:4", 40), testing::Pair("trainer.cpp:7", 20)));
}

TEST(CostlyPlaces, NamesAreUniqueAndNoOtherBlocks) {
  ObservedProcess process;
  process.add(30, {{"run", "a/net.cpp", 4}}).add(20, {{"run", "b/net.cpp", 4}}).add(10, {{"run", "b/other.cpp", 4}});
  EXPECT_THAT(named(places_of({process})),
              ElementsAre(testing::Pair("net.cpp:4 (a/net.cpp)", 30), testing::Pair("net.cpp:4 (b/net.cpp)", 20),
                          testing::Pair("other.cpp:4", 10)));
  ObservedProcess without_lines;
  without_lines.add(30, {{"passed"}}).add(20, {{"unchanged"}});
  EXPECT_THAT(named(places_of({without_lines})),
              ElementsAre(testing::Pair("passed ()", 30), testing::Pair("unchanged ()", 20)));
}

TEST(CostlyPlaces, SharesAreMeansOverTheProcessesThatObservedSteps) {
  ObservedProcess first;
  first.add(40, {in_net("Net::forward", 4)}).add(30, {in_net("Net::loss", 6)});
  ObservedProcess second;
  second.add(30, {in_net("Net::loss", 6)}).add(20, {in_net("Net::forward", 4)});
  ObservedProcess without_steps;
  without_steps.run.observed.reset();
  ObservedProcess without_lines;
  without_lines.add(90, {{"Net::forward"}});
  EXPECT_THAT(named(places_of({first, second, without_steps, without_lines})),
              ElementsAre(testing::Pair("net.cpp:4", 30), testing::Pair("net.cpp:6", 30)));
  EXPECT_THAT(named(places_of({without_steps})), IsEmpty());
}

TEST(CostlyPlaces, TheOrderOfSitesPlaysNoPart) {
  ObservedProcess process;
  process.with_optimizer();
  for (std::int64_t i = 0; i < 12; ++i) {
    process.add(5, {in_net("leaf" + std::to_string(i), 100 + i), in_net("Net::forward", 10 + i % 3)});
  }
  ObservedProcess other = process;
  std::ranges::reverse(other.run.observed->sites);
  EXPECT_EQ(named(places_of({process})), named(places_of({other})));
  EXPECT_EQ(places_of({process}).size(), most_repeated_places);
}

}  // namespace
}  // namespace stepgate
