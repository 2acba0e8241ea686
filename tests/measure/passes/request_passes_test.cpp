#include "measure/passes/request_passes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.h"
#include "measure/scripts.h"

namespace stepgate {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::SizeIs;

/// Announces nothing: the server waits in virtual time.
class VirtualArrivals final : public Arrivals {
 public:
  explicit VirtualArrivals(FakeBackend& backend) : backend_(backend) {}

  std::int64_t begin(const std::vector<std::int64_t>& arrival_ns) override {
    arrival_ns_ = arrival_ns;
    return begin_ns_ = backend_.now_ns();
  }
  void wait_for(std::size_t request) override {
    const std::int64_t due_ns = begin_ns_ + arrival_ns_.at(request);
    if (backend_.now_ns() < due_ns) backend_.work_on_host(due_ns - backend_.now_ns());
  }
  Lateness late() const override { return {.most_ns = 4, .total_ns = 9}; }
  int cpu() const override { return 3; }

 private:
  FakeBackend& backend_;
  std::vector<std::int64_t> arrival_ns_;
  std::int64_t begin_ns_ = 0;
};

/// Marks three tokens in each request: 100, 130 and 190 ns after its begin.
class GeneratingStep final : public ScriptedStep, public StepAnswers {
 public:
  GeneratingStep(FakeBackend& backend, std::vector<ScriptedStepPlan> script)
      : ScriptedStep(backend, std::move(script)), backend_(backend) {}

  void run(Boundary boundary, std::int64_t step) override {
    if (boundary == Boundary::data_wait) clock_.begin();
    if (boundary == Boundary::forward) {
      for (const std::int64_t after_ns : {100, 130, 190}) {
        fake_now_ns = backend_.now_ns() + after_ns;
        clock_.note();
      }
    }
    ScriptedStep::run(boundary, step);
  }
  StepAbilities abilities() override {
    StepAbilities abilities = ScriptedStep::abilities();
    abilities.answers = this;
    return abilities;
  }
  std::int64_t graph_answers() const override { return 0; }
  std::optional<std::vector<TrainingModule>> training_modules() const override { return std::nullopt; }
  const TokenClock& tokens() const override { return clock_; }

 private:
  static std::int64_t fake_now() { return fake_now_ns; }
  static inline std::int64_t fake_now_ns = 0;

  FakeBackend& backend_;
  TokenClock clock_{fake_now};
};

TEST(RequestsPass, ALatencyEndsWhenTheDeviceHasTheAnswerAndBeforeLogging) {
  FakeBackend backend;
  ScriptedStep step(backend, {test::queued_step()});
  TimedRun run{step, backend, {.window = 10, .requests = 10}, {7}};
  const ClosedLoop loop = run_requests(run);

  // Load and copy, then the compute stream. The host alone needs 27 ns.
  EXPECT_THAT(loop.latency_ns, SizeIs(10));
  EXPECT_THAT(loop.latency_ns, Each(32 + 350));
  EXPECT_EQ(loop.wall_ns, 10 * (32 + 350 + 1)) << "with 1 ns of logging";
  EXPECT_EQ(loop.clock, "virtual");
  EXPECT_EQ(loop.samples, 40);
  EXPECT_THAT(loop.cold, IsEmpty());
  EXPECT_EQ(loop.tokens, TokenTimes());
}

TEST(RequestsPass, KeepsTheBoundariesOfARequestAndNoneOfTraining) {
  FakeBackend backend;
  ScriptedStepPlan plan = test::queued_step();
  plan.at(own_boundary(0)) = {.host_ns = 3};
  ScriptedStep step(backend, {plan});
  step.name_boundary("infer", Boundary::forward);
  TimedRun run{step, backend, {.window = 5, .requests = 5}, {7}};
  const ClosedLoop loop = run_requests(run);

  EXPECT_THAT(loop.boundary_ns.at("data_wait"), ElementsAre(10, 10, 10, 10, 10));
  EXPECT_THAT(loop.boundary_ns.at("h2d"), Each(2));
  EXPECT_THAT(loop.boundary_ns, SizeIs(3));
  EXPECT_THAT(loop.boundary_ns, Not(testing::Contains(Key("forward"))));
}

TEST(RequestsPass, RunsInBlocksAndLetsTheOtherProcessOfAPairRunAfterEach) {
  FakeBackend backend(test::like_cpu);
  ScriptedStep step(backend, {test::host_step(90)});
  TimedRun run{step, backend, {.window = 10, .requests = 25}, {7}};
  int turns = 0;
  run.yield = [&] {
    ++turns;
    backend.work_on_host(1'000'000);
  };
  const ClosedLoop loop = run_requests(run);

  EXPECT_EQ(turns, 3);
  EXPECT_THAT(loop.latency_ns, SizeIs(25));
  EXPECT_THAT(loop.latency_ns, Each(90));
  EXPECT_EQ(loop.wall_ns, 25 * 90);
  EXPECT_EQ(step.logged_step(), 24);
}

TEST(RequestsPass, AStallIsInTheLatencyOfItsRequestAlone) {
  std::vector<ScriptedStepPlan> script(6, test::host_step(90));
  script[4] = test::host_step(5000);
  FakeBackend backend(test::like_cpu);
  ScriptedStep step(backend, script);
  TimedRun run{step, backend, {.window = 3, .requests = 6}, {7}};

  EXPECT_THAT(run_requests(run).latency_ns, ElementsAre(90, 90, 90, 90, 5000, 90));
}

TEST(RequestsPass, NamesTheRequestsWithAColdShapeAndLeavesNoneOut) {
  std::vector<ScriptedStepPlan> script(5, test::host_step(90));
  script[1].batch.shape = 8;
  script[2].batch.shape = 8;
  script[4].batch.shape = 9;
  FakeBackend backend(test::like_cpu);
  ScriptedStep step(backend, script);
  TimedRun run{step, backend, {.window = 2, .requests = 5}, {7}};
  const ClosedLoop loop = run_requests(run);

  EXPECT_THAT(loop.cold, ElementsAre(1, 4));
  EXPECT_THAT(loop.latency_ns, SizeIs(5));
}

TEST(RequestsPass, CountsTokensFromTheBeginOfTheRequest) {
  FakeBackend backend(test::like_cpu);
  GeneratingStep step(backend, {test::host_step(200)});
  TimedRun run{step, backend, {.window = 2, .requests = 4}, {7}};
  const ClosedLoop loop = run_requests(run);

  EXPECT_EQ(loop.tokens.tokens, 12);
  EXPECT_THAT(loop.tokens.first_ns, ElementsAre(100, 100, 100, 100));
  EXPECT_THAT(loop.tokens.next_ns, Each((190 - 100) / 2));
}

TEST(RequestsPass, RefusesToRunWithoutRequests) {
  FakeBackend backend(test::like_cpu);
  ScriptedStep step(backend, {test::host_step(90)});
  TimedRun run{step, backend, {}, {7}};
  EXPECT_THROW(run_requests(run), Error);
  VirtualArrivals arrivals(backend);
  EXPECT_THROW(run_open_requests(run, {.rate_per_s = 1}, arrivals), Error);
}

constexpr std::int64_t slow_ns = 600'000'000;

TEST(OpenRequestsPass, CountsALatencyFromTheScheduledArrival) {
  FakeBackend backend(test::like_cpu);
  ScriptedStep step(backend, {test::host_step(slow_ns)});
  TimedRun run{step, backend, {.open_requests = 200}, {7}};
  VirtualArrivals arrivals(backend);
  const OpenLoop loop = run_open_requests(run, {.rate_per_s = 1, .capacity_per_s = 1.6, .seed = 5}, arrivals);

  ASSERT_THAT(loop.latency_ns, SizeIs(200));
  EXPECT_EQ(loop.arrival_ns, scheduled_arrivals(1, 200, 5));
  // A server of one request at a time: who arrives while it is busy waits, and the wait is latency.
  std::int64_t free_ns = 0;
  int waited = 0;
  for (std::size_t i = 0; i < loop.latency_ns.size(); ++i) {
    const std::int64_t begun_ns = std::max(free_ns, loop.arrival_ns[i]);
    free_ns = begun_ns + slow_ns;
    EXPECT_EQ(loop.latency_ns[i], free_ns - loop.arrival_ns[i]) << i;
    if (begun_ns > loop.arrival_ns[i]) ++waited;
  }
  EXPECT_GT(waited, 50) << "arrivals come in bunches";
  EXPECT_EQ(loop.rate_per_s, 1);
  EXPECT_EQ(loop.capacity_per_s, 1.6);
  EXPECT_EQ(loop.arrival_seed, 5u);
  EXPECT_EQ(loop.generator_cpu, 3);
  EXPECT_EQ(loop.generator_late_ns, 4);
  EXPECT_EQ(loop.generator_late_total_ns, 9);
}

/// Needs half a millisecond to get ready for a window.
class PreparedStep final : public ScriptedStep {
 public:
  PreparedStep(FakeBackend& backend, std::vector<ScriptedStepPlan> script)
      : ScriptedStep(backend, std::move(script)), backend_(backend) {}

  void before_window(std::int64_t steps) override {
    asked_steps.push_back(steps);
    backend_.work_on_host(500'000);
  }

  std::vector<std::int64_t> asked_steps;

 private:
  FakeBackend& backend_;
};

TEST(OpenRequestsPass, GetsReadyForAWindowAgainAndAgainWhileItWaits) {
  FakeBackend backend(test::like_cpu);
  PreparedStep step(backend, {test::host_step(slow_ns)});
  TimedRun run{step, backend, {.window = 5, .open_requests = 200}, {7}};
  VirtualArrivals arrivals(backend);
  const OpenLoop loop = run_open_requests(run, {.rate_per_s = 1, .seed = 5}, arrivals);

  EXPECT_THAT(step.asked_steps, Each(5));
  std::int64_t free_ns = 0;
  std::size_t waits = 0;
  for (std::size_t i = 0; i < loop.latency_ns.size(); ++i) {
    if (loop.arrival_ns[i] - free_ns > 1'000'000) ++waits;
    free_ns = std::max(free_ns, loop.arrival_ns[i]) + slow_ns;
    EXPECT_EQ(loop.latency_ns[i], free_ns - loop.arrival_ns[i]) << i << ": no request waits for it";
  }
  EXPECT_THAT(step.asked_steps, SizeIs(1 + waits));
  EXPECT_GT(waits, 50U);
}

TEST(OpenRequestsPass, AServerThatIsTooSlowFallsBehindFurtherAndFurther) {
  FakeBackend backend(test::like_cpu);
  ScriptedStep step(backend, {test::host_step(2 * slow_ns)});
  TimedRun run{step, backend, {.open_requests = 200}, {7}};
  VirtualArrivals arrivals(backend);
  const OpenLoop loop = run_open_requests(run, {.rate_per_s = 1, .seed = 5}, arrivals);

  EXPECT_GT(loop.latency_ns.back(), 10 * loop.latency_ns.front());
}

TEST(OpenRequestsPass, TheFirstTokenCountsFromTheScheduledArrivalToo) {
  FakeBackend backend(test::like_cpu);
  GeneratingStep step(backend, {test::host_step(slow_ns)});
  TimedRun run{step, backend, {.open_requests = 50}, {7}};
  VirtualArrivals arrivals(backend);
  const OpenLoop loop = run_open_requests(run, {.rate_per_s = 1, .seed = 5}, arrivals);

  ASSERT_THAT(loop.tokens.first_ns, SizeIs(50));
  for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(loop.tokens.first_ns[i], loop.latency_ns[i] - slow_ns + 100) << i;
}

}  // namespace
}  // namespace stepgate
