#include "measure/profile/experiments/loader_pace.h"

#include <algorithm>

namespace stepgate {
namespace {

constexpr std::int64_t most_depth = 16;
constexpr std::int64_t timed_draws = 4;
constexpr std::int64_t most_pause_ns = 300'000'000;
/// Below this a queue hides nothing that could be measured.
constexpr std::int64_t least_period_ns = 20'000;

std::int64_t timed_draw(StepActions& actions, Backend& backend) {
  const std::int64_t begin_ns = backend.now_ns();
  actions.run(Boundary::data_wait, 0);
  const std::int64_t taken_ns = backend.now_ns() - begin_ns;
  actions.release();
  return taken_ns;
}

}  // namespace

LoaderFacts probe_loader(StepActions& actions, Backend& backend, const std::function<void(std::int64_t ns)>& pause) {
  LoaderFacts facts;
  for (std::int64_t i = 0; i < most_depth; ++i) timed_draw(actions, backend);
  std::int64_t total_ns = 0;
  for (std::int64_t i = 0; i < timed_draws; ++i) total_ns += timed_draw(actions, backend);
  facts.period_ns = total_ns / timed_draws;
  facts.unclear = facts.period_ns < least_period_ns;
  pause(std::min(2 * most_depth * facts.period_ns, most_pause_ns));
  bool ready = true;
  for (std::int64_t i = 0; i < most_depth; ++i) {
    ready = timed_draw(actions, backend) < facts.period_ns / 4 && ready;
    if (ready && !facts.unclear) ++facts.depth;
  }
  return facts;
}

void empty_queue(StepActions& actions, const LoaderFacts& facts) {
  for (std::int64_t i = 0; i < facts.depth; ++i) {
    actions.run(Boundary::data_wait, 0);
    actions.release();
  }
}

std::int64_t LoaderPace::ready_ns(std::int64_t asked_ns, std::int64_t loaded_ns) {
  if (facts_.depth == 0) return loaded_ns + delay_ns_;
  std::int64_t begin_ns = last_ready_ns_.value_or(asked_ns);
  if (std::ssize(taken_ns_) == facts_.depth) {
    begin_ns = std::max(begin_ns, taken_ns_.front());
    taken_ns_.pop_front();
  }
  last_ready_ns_ = begin_ns + facts_.period_ns + delay_ns_;
  const std::int64_t taken_ns = std::max({asked_ns, loaded_ns, *last_ready_ns_});
  taken_ns_.push_back(taken_ns);
  return taken_ns;
}

}  // namespace stepgate
