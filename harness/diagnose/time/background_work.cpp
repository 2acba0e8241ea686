#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/leading_time.h"
#include "core/text/number_format.h"
#include "diagnose/both_sides.h"
#include "diagnose/questions.h"

namespace stepgate {
namespace {

constexpr const char* background_metric = "background_cpu_ns_per_step";

/// Of the step time. A thread that wakes up now and then, and the clocks themselves, stay far below it.
constexpr double least_background_of_step = 0.05;
/// Of what the base has. Loader workers of unchanged code differ by some percent, as they run ahead by chance.
constexpr double least_background_growth = 0.25;
/// Of what the step takes more. A thread that takes the step's own CPU costs the step as much as it takes itself; with
/// less than half, something else costs more.
constexpr double leading_share_of_step = 0.5;

/// In every pair: one busy pair is no change of the build.
bool more_in_every_pair(const JudgedComparison& input) {
  const PairedValues* pairs = pairs_of(input);
  if (pairs == nullptr) return true;
  const auto found = pairs->timed.find(background_metric);
  if (found == pairs->timed.end()) return false;
  return std::all_of(found->second.begin(), found->second.end(),
                     [](const Pair& pair) { return pair.head > pair.base; });
}

std::string threads_text(const std::map<std::string, std::int64_t>& threads) {
  std::vector<std::pair<std::string, std::int64_t>> busiest(threads.begin(), threads.end());
  std::stable_sort(busiest.begin(), busiest.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  constexpr std::size_t most_named = 3;
  if (busiest.size() > most_named) busiest.resize(most_named);
  std::string text;
  for (const auto& [name, ns] : busiest) text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", name);
  return text.empty() ? "in threads that have ended, or in processes that it started"
                      : fmt::format("in {} {}", busiest.size() == 1 ? "thread" : "threads", text);
}

double per_step(std::int64_t ns, const BackgroundCpu& background) {
  return static_cast<double>(ns) / static_cast<double>(std::max<std::int64_t>(1, background.steps));
}

/// The red step times that the CPU time beside the step can explain.
std::vector<std::string> explained_times(const JudgedComparison& input, const TimedPair& step, double more) {
  std::vector<std::string> names;
  if (more < leading_share_of_step * step.difference()) return names;
  for (const std::string_view name : whole_times) {
    if (is_red(input, name)) names.emplace_back(name);
  }
  return names;
}

/// What the base's CPU time beside the step would be with the head's loader: its workers take as much longer as the
/// loader alone does, however many they are.
double with_slower_loader(const JudgedComparison& input, double before) {
  const auto supply = timed_pair(input, "loader_samples_per_s");
  const bool slower = is_red(input, "loader_samples_per_s") && supply && supply->now > 0;
  return slower ? before * std::max(1.0, supply->before / supply->now) : before;
}

bool is_clearly_more(const TimedPair& background, const TimedPair& step) {
  const double more = background.difference();
  return more >= least_background_of_step * step.before && more >= least_background_growth * background.before;
}

/// Without times nobody knows what it costs, so it is a note.
std::vector<Finding> background_of_exact_passes(const JudgedComparison& input) {
  const PairedReference* paired = paired_reference(input);
  if (paired == nullptr || !paired->exact_background || !input.current.exact_background) return {};
  const BackgroundCpu& base = *paired->exact_background;
  const BackgroundCpu& head = *input.current.exact_background;
  const double before = per_step(base.cpu_ns, base);
  const double now = per_step(head.cpu_ns, head);
  if (now - before < least_background_of_step * per_step(base.step_cpu_ns, base)) return {};
  if (now - before < least_background_growth * before) return {};
  return {{.code = FindingCode::background_work,
           .severity = Severity::note,
           .message = fmt::format("CPU time beside the step {} per step in the numerics pass ({} -> {}), {}",
                                  difference_text(MetricUnit::ns, now - before), quantity_text(MetricUnit::ns, before),
                                  quantity_text(MetricUnit::ns, now), threads_text(head.threads)),
           .advice = "times show what it costs: stepgate ab --tier timed.",
           .metric = ""}};
}

}  // namespace

std::vector<Finding> explain_background_work(const JudgedComparison& input) {
  const auto background = timed_pair(input, background_metric);
  const auto step = timed_pair(input, leading_time(input));
  if (!background || !step) return background_of_exact_passes(input);
  if (!is_clearly_more(*background, *step) || !more_in_every_pair(input)) return {};
  const TimedPair beside_loader{.before = with_slower_loader(input, background->before), .now = background->now};
  const bool by_loader = !is_clearly_more(beside_loader, *step);
  const double more = background->difference();
  const bool costs = !by_loader && is_whole_time_red(input);
  return {
      {.code = FindingCode::background_work,
       .severity = costs       ? Severity::cause
                   : by_loader ? Severity::note
                               : Severity::warning,
       .message =
           fmt::format("CPU time beside the step {} per step ({} -> {}), {}", difference_text(MetricUnit::ns, more),
                       quantity_text(MetricUnit::ns, background->before),
                       quantity_text(MetricUnit::ns, background->now), threads_text(input.current.background_threads)),
       .advice = "a thread or process beside the step takes its CPU, memory bandwidth or clock: find what starts it, "
                 "and let it wait instead of asking again and again.",
       .metric = background_metric,
       .also = costs ? explained_times(input, *step, beside_loader.difference()) : std::vector<std::string>{}}};
}

}  // namespace stepgate
