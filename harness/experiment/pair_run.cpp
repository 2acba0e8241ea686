#include "experiment/pair_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "cli/progress.h"
#include "experiment/bytes_confirmation.h"
#include "experiment/result_files.h"
#include "json/records/measurement_json.h"
#include "judge/interval/pair_plan.h"
#include "judge/reduce/paired_values.h"
#include "launch/measure_alternating.h"
#include "launch/pair_order.h"
#include "system/elapsed.h"
#include "system/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// A pair's two programs and where it is kept. The folders' names are equally long, as those of the programs are.
struct PairPlace {
  fs::path folder;
  const fs::path& base_program;
  const fs::path& head_program;
  const char* head_name;
};

/// All pairs of one case.
class PairRun {
 public:
  PairRun(const AbCase& ab, const Context& context, const std::atomic<int>& interrupted)
      : ab_(ab), context_(context), interrupted_(interrupted) {
    const std::int64_t most = most_tries(ab.plan.most_pairs);
    orders_ = head_first_orders(ab.plan.order_seed, ab.plan.case_name, most);
    control_orders_ = head_first_orders(ab.plan.order_seed, ab.plan.case_name + " (control)", most);
  }

  PairsSoFar run(const Decided& decided) {
    for (std::size_t i = 0; i < orders_.size(); ++i) {
      if (!take_or_measure(i)) break;
      if (is_over(decided)) {
        so_far_.finished = true;
        break;
      }
    }
    clear_progress_line(context_.options);
    if (interrupted_.load() == 0) so_far_.finished = true;
    return std::move(so_far_);
  }

 private:
  /// False: nothing more is to be begun.
  bool take_or_measure(std::size_t i) {
    if (!round(i, orders_[i], {pair_folder("pairs", i), ab_.builds.base, ab_.builds.head, "head"}, so_far_.pairs)) {
      return false;
    }
    if (!ab_.plan.control) return true;
    return round(i, control_orders_[i], {pair_folder("control", i), ab_.builds.base, ab_.builds.aa_copy, "twin"},
                 so_far_.control);
  }

  bool round(std::size_t i, bool head_first, const PairPlace& place, std::vector<MeasuredPair>& into) {
    MeasuredPair pair{.index = static_cast<std::int64_t>(i), .head_first = head_first, .base = {}, .head = {}};
    auto base = taken_over(place.folder / "base");
    auto head = taken_over(place.folder / place.head_name);
    if (!base || !head) {
      // What was complete before an interruption elsewhere gets nothing more.
      if (ab_.plan.complete || interrupted_.load() != 0 || out_of_time()) return false;
      // Both anew: the processes of a pair are neighbours in time.
      SidesMeasured sides = measure_sides(head_first, place);
      if (was_interrupted(sides.base) || was_interrupted(sides.head)) return false;
      base = std::move(sides.base);
      head = std::move(sides.head);
      write_measurement(place.folder / "base", *base);
      write_measurement(place.folder / place.head_name, *head);
    }
    pair.base = std::move(*base);
    pair.head = std::move(*head);
    const bool failed = has_failed(pair.base) || has_failed(pair.head);
    into.push_back(std::move(pair));
    return !failed;
  }

  struct SidesMeasured {
    Measurement base;
    Measurement head;
  };

  SidesMeasured measure_sides(bool head_first, const PairPlace& place) const {
    const LaunchRequest base = request_for_side(place.folder / "base", place.base_program);
    const LaunchRequest head = request_for_side(place.folder / place.head_name, place.head_program);
    const LaunchRequest& first = head_first ? head : base;
    const LaunchRequest& second = head_first ? base : head;
    MeasuredAlternating both;
    if (ab_.plan.alternating_windows) {
      LaunchProgress progress;
      progress.case_name = ab_.plan.case_name;
      if (const auto line = with_own_counts()) line(progress);
      both = measure_alternating(first, second, &interrupted_);
    } else {
      both.first = measure_case(first, {with_own_counts(), &interrupted_});
      if (!was_interrupted(both.first)) both.second = measure_case(second, {with_own_counts(), &interrupted_});
    }
    if (head_first) return {std::move(both.second), std::move(both.first)};
    return {std::move(both.first), std::move(both.second)};
  }

  LaunchRequest request_for_side(const fs::path& folder, const fs::path& program) const {
    LaunchRequest request = ab_.request;
    request.program = program;
    request.out_dir = folder;
    request.groups = {Group::timed};
    fs::remove(folder / "measurement.json");
    return request;
  }

  bool is_over(const Decided& decided) const {
    const std::int64_t clean = clean_pairs(so_far_.pairs);
    const PairCount count{.measured = std::ssize(so_far_.pairs), .clean = clean};
    return clean >= ab_.plan.most_pairs || taint_leaves_no_interim_analysis(ab_.plan.most_pairs, count) ||
           decided(so_far_);
  }

  bool out_of_time() const { return ab_.budget_s > 0 && seconds_since(start_) >= ab_.budget_s; }

  fs::path pair_folder(const char* kind, std::size_t i) const { return ab_.folder / kind / fmt::format("{:03}", i); }

  /// The launcher counts the one process that it was asked for; a person wants the place in the whole run.
  std::function<void(const LaunchProgress&)> with_own_counts() const {
    const std::int64_t sides = ab_.plan.control ? 4 : 2;
    const auto done = static_cast<std::int64_t>(2 * (so_far_.pairs.size() + so_far_.control.size()));
    return progress_line(context_.options,
                         {done, std::max(sides * ab_.plan.most_pairs, done + 1), seconds_since(start_)});
  }

  const AbCase& ab_;
  const Context& context_;
  const std::atomic<int>& interrupted_;
  std::vector<bool> orders_;
  std::vector<bool> control_orders_;
  PairsSoFar so_far_;
  Clock::time_point start_ = Clock::now();
};

/// Exact processes of one build, kept in one folder.
struct ExactSide {
  const AbCase& ab;
  const fs::path& program;
  fs::path folder;
  std::int64_t processes = 0;
};

/// Measured, or taken over from an interrupted run.
Measurement exact_side(const ExactSide& side, const LaunchCallbacks& callbacks) {
  if (auto before = taken_over(side.folder)) return std::move(*before);
  LaunchRequest request = side.ab.request;
  request.program = side.program;
  request.out_dir = side.folder;
  request.groups = {Group::exact};
  request.plan.exact_replicates = side.processes;
  Measurement measurement = measure_case(request, callbacks);
  write_measurement(side.folder, measurement);
  return measurement;
}

}  // namespace

bool was_interrupted(const Measurement& measurement) {
  return std::any_of(measurement.replicates.begin(), measurement.replicates.end(), [](const Replicate& replicate) {
    return replicate.failure && replicate.failure->kind == FailureKind::interrupted;
  });
}

bool has_failed(const Measurement& measurement) {
  return measurement.replicates.empty() ||
         std::any_of(measurement.replicates.begin(), measurement.replicates.end(),
                     [](const Replicate& replicate) { return replicate.failure.has_value(); });
}

std::optional<Measurement> taken_over(const fs::path& folder) {
  const fs::path file = folder / "measurement.json";
  const auto text = read_text_file_if_present(file);
  if (!text) return std::nullopt;
  Measurement measurement = measurement_from_text(*text, file.string());
  if (was_interrupted(measurement)) return std::nullopt;
  return measurement;
}

PairsSoFar measure_pairs(const AbCase& ab, const Context& context, const std::atomic<int>& interrupted,
                         const Decided& decided) {
  return PairRun(ab, context, interrupted).run(decided);
}

ExactMeasurements measure_exact_sides(const AbCase& ab, const Context& context, const std::atomic<int>& interrupted) {
  const auto side = [&](const char* name, const fs::path& program) {
    return exact_side({ab, program, ab.folder / "exact" / name, ab.request.plan.exact_replicates},
                      {progress_line(context.options), &interrupted});
  };
  ExactMeasurements sides;
  sides.base = side("base", ab.builds.base);
  if (!was_interrupted(sides.base)) sides.head = side("head", ab.builds.head);
  clear_progress_line(context.options);
  return sides;
}

ExactMeasurements with_more_processes(const AbCase& ab, const Context& context, const std::atomic<int>& interrupted,
                                      ExactMeasurements sides) {
  const std::int64_t more = confirming_processes - exact_processes(sides.base);
  const auto orders = head_first_orders(ab.plan.order_seed, ab.plan.case_name + " (bytes)", more);
  ExactMeasurements all = sides;
  for (std::size_t i = 0; i < orders.size() && !has_failed(all.base) && !has_failed(all.head); ++i) {
    const fs::path folder = ab.folder / "exact" / fmt::format("more-{:03}", i);
    // Both anew: the processes of a pair are neighbours in time.
    if (!taken_over(folder / "base") || !taken_over(folder / "head")) fs::remove_all(folder);
    for (const bool is_head : {static_cast<bool>(orders[i]), !orders[i]}) {
      const char* name = is_head ? "head" : "base";
      const Measurement one = exact_side({ab, is_head ? ab.builds.head : ab.builds.base, folder / name, 1},
                                         {progress_line(context.options), &interrupted});
      if (was_interrupted(one)) return sides;
      auto& into = (is_head ? all.head : all.base).replicates;
      into.insert(into.end(), one.replicates.begin(), one.replicates.end());
    }
  }
  clear_progress_line(context.options);
  all.interleaved = true;
  return all;
}

}  // namespace stepgate
