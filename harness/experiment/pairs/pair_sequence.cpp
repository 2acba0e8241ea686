#include "experiment/pairs/pair_sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <numeric>

#include "experiment/plan/measurement_files.h"
#include "judge/interval/pair_plan.h"
#include "judge/reduce/pairs/reduce_pairs.h"
#include "judge/reduce/waiting_sides.h"
#include "launch/measure_alternating.h"
#include "launch/pair_order.h"
#include "launch/staged_builds.h"
#include "launch/window_length.h"
#include "system/elapsed.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// A pair's two programs and where it is kept. The folders' names are equally long, as those of the programs are.
struct PairPlace {
  fs::path folder;
  const fs::path& base_program;
  const fs::path& head_program;
  std::string_view head_name;
};

/// Counts the repetitions of discarded processes too, and nothing that was set aside.
std::int64_t processes_of(const std::vector<MeasuredPair>& pairs) {
  std::int64_t count = 0;
  for (const MeasuredPair& pair : pairs) {
    if (!is_set_aside(pair)) count += std::ssize(pair.base.replicates) + std::ssize(pair.head.replicates);
  }
  return count;
}

/// Those that may be judged, clean or not.
std::int64_t tries_of(const std::vector<MeasuredPair>& pairs) {
  return std::ssize(pairs) - std::count_if(pairs.begin(), pairs.end(), is_set_aside);
}

constexpr std::string_view head_folder = "head";

/// A control that catches up is level at the first analysis that may call red, at eight pairs, if a red is in reach at
/// the first analysis, at four.
constexpr int most_control_pairs_beside = 2;

/// All pairs of one case.
class PairSequence {
 public:
  PairSequence(const PairCase& pair_case, const Caller& caller) : case_(pair_case), caller_(caller) {
    const std::int64_t most = most_orders(pair_case.plan);
    orders_ = head_first_orders(pair_case.plan.order_seed, pair_case.plan.case_name, most);
    control_orders_ = head_first_orders(pair_case.plan.order_seed, pair_case.plan.case_name + " (control)", most);
    may_lengthen_ = pair_case.case_plan.request.may_lengthen_windows;
  }

  /// Pairs that are set aside get others in their place: at most as many as there are tries.
  static std::int64_t most_orders(const AbPlan& plan) {
    return (plan.alternating_windows ? 2 : 1) * most_tries(plan.most_pairs);
  }

  PairsSoFar run(const std::vector<std::int64_t>& indices, const LookAtPairs& look_at) {
    for (const std::int64_t i : indices) {
      if (tries() >= most_tries(case_.plan.most_pairs)) break;
      if (!take_or_measure(static_cast<std::size_t>(i))) break;
      PairsLook look = look_at(so_far_);
      const std::size_t had = so_far_.control.size();
      if (case_.plan.control && !follow_with_control(look.control)) break;
      if (so_far_.control.size() > had) look = look_at(so_far_);  // the control may have set all pairs aside
      if (is_over(look)) {
        so_far_.finished = true;
        break;
      }
    }
    if (caller_.interrupted.load() == 0) so_far_.finished = true;
    return std::move(so_far_);
  }

  std::vector<MeasuredPair> run_control(std::int64_t count) {
    for (std::size_t i = 0; i < std::min(control_orders_.size(), static_cast<std::size_t>(count)); ++i) {
      if (!control_round(i)) break;
    }
    return std::move(so_far_.control);
  }

 private:
  /// Returns false if nothing more is to be begun.
  bool take_or_measure(std::size_t i) {
    return round(i, orders_[i], {pair_folder("pairs", i), case_.builds.base, case_.builds.head, head_folder},
                 so_far_.pairs);
  }

  /// Discarded pairs of the control test nothing, so those of a red are made up for.
  bool lacks_control() const {
    return tries_of(so_far_.control) < tries() ||
           (for_red_ && clean_pairs(so_far_.control) < clean_pairs(so_far_.pairs));
  }

  /// Pairs of the control that an interrupted run completed are taken in any case. Returns false as take_or_measure.
  bool follow_with_control(ControlNeed need) {
    for_red_ = need == ControlNeed::level;
    int measured = 0;
    bool goes_on = true;
    while (goes_on && lacks_control() && so_far_.control.size() < control_orders_.size()) {
      const bool stored = is_stored(pair_folder("control", so_far_.control.size()));
      const bool beside = need == ControlNeed::beside && measured < most_control_pairs_beside && !case_.plan.complete;
      if (!stored && !for_red_ && !beside) break;
      measured += stored ? 0 : 1;
      goes_on = control_round(so_far_.control.size());
    }
    for_red_ = false;
    return goes_on;
  }

  static bool is_stored(const fs::path& control_pair) {
    return fs::exists(control_pair / "base" / "measurement.json") &&
           fs::exists(control_pair / aa_copy_folder / "measurement.json");
  }

  bool control_round(std::size_t i) {
    return round(i, control_orders_[i],
                 {pair_folder("control", i), case_.builds.base, case_.builds.aa_copy, aa_copy_folder}, so_far_.control);
  }

  bool round(std::size_t i, bool head_first, const PairPlace& place, std::vector<MeasuredPair>& into) {
    MeasuredPair pair{.index = static_cast<std::int64_t>(i), .head_first = head_first, .base = {}, .head = {}};
    const std::uint64_t seed = case_.case_plan.request.plan.seed;
    const std::string& name = case_.plan.case_name;
    auto base = completed_measurement(place.folder / "base", {name, place.base_program, seed});
    auto head = completed_measurement(place.folder / place.head_name, {name, place.head_program, seed});
    if (!base || !head) {
      // Pairs that were complete before an interruption elsewhere get nothing more but the control of a red, which a
      // change of the other cases may have made.
      if ((case_.plan.complete && !for_red_) || caller_.interrupted.load() != 0 || out_of_time()) return false;
      // Both are measured anew: the processes of a pair are neighbours in time.
      SidesMeasured sides = measure_sides(head_first, place);
      if (lengthens_windows(sides)) sides = measure_sides(head_first, place);
      if (was_interrupted(sides.base) || was_interrupted(sides.head)) return false;
      if (!told_cpus_) tell_cpus(sides.base);
      base = std::move(sides.base);
      head = std::move(sides.head);
      write_measurement(place.folder / "base", *base);
      write_measurement(place.folder / place.head_name, *head);
    }
    settle_steps(*base);
    pair.base = std::move(*base);
    pair.head = std::move(*head);
    const bool failed = has_failed(pair.base) || has_failed(pair.head);
    into.push_back(std::move(pair));
    if (why_not_alternating_.empty()) end_alternation(into.back(), place.head_name);
    if (!why_not_alternating_.empty()) {
      set_aside(so_far_.pairs, "pairs", head_folder);
      set_aside(so_far_.control, "control", aa_copy_folder);
    }
    return !failed;
  }

  bool alternates() const { return case_.plan.alternating_windows && why_not_alternating_.empty(); }

  /// Evidence alone decides, before any time is looked at.
  void end_alternation(const MeasuredPair& pair, std::string_view head_name) {
    why_not_alternating_ = busy_while_waiting(pair, head_name == head_folder ? head_name : "its copy");
    if (why_not_alternating_.empty()) return;
    caller_.observer.on_notice(
        {Severity::warning,
         fmt::format("{}: {}: from now on the processes run one after the other, and the pairs measured so far are "
                     "kept and not judged",
                     case_.plan.case_name, why_not_alternating_),
         "find the thread or the process that works beside the step; if it is meant to, nothing is wrong"});
  }

  void set_aside(std::vector<MeasuredPair>& pairs, const char* kind, std::string_view head_name) const {
    for (MeasuredPair& pair : pairs) {
      if (!set_aside_alternating(why_not_alternating_, pair)) continue;
      const fs::path folder = pair_folder(kind, static_cast<std::size_t>(pair.index));
      write_measurement(folder / "base", pair.base);
      write_measurement(folder / head_name, pair.head);
    }
  }

  struct SidesMeasured {
    Measurement base;
    Measurement head;
  };

  /// Decided once, by the first pair: both sides of all pairs run the same steps. The faster side decides.
  bool lengthens_windows(const SidesMeasured& sides) {
    if (!may_lengthen_ || has_failed(sides.base) || has_failed(sides.head)) return false;
    may_lengthen_ = false;
    for (const Measurement* side : {&sides.base, &sides.head}) {
      const std::optional<RunRecord>& record = side->replicates.front().record;
      const auto steps = record ? lengthened_steps(*record) : std::nullopt;
      if (steps && (steps_.empty() || steps_.at("window") < steps->at("window"))) steps_ = *steps;
    }
    if (steps_.empty()) return false;
    caller_.observer.on_notice(lengthened_windows(case_.plan.case_name, steps_));
    return true;
  }

  /// The step counts were decided by the first pair of an interrupted run.
  void settle_steps(const Measurement& of_pair) {
    if (!may_lengthen_) return;
    may_lengthen_ = false;
    for (const auto& [name, count] : of_pair.plan.steps) steps_[name] = count;
  }

  SidesMeasured measure_sides(bool head_first, const PairPlace& place) const {
    const LaunchRequest base = request_for_side(place.folder / "base", place.base_program);
    const LaunchRequest head = request_for_side(place.folder / place.head_name, place.head_program);
    const LaunchRequest& first = head_first ? head : base;
    const LaunchRequest& second = head_first ? base : head;
    MeasuredAlternating both;
    if (alternates()) {
      LaunchProgress progress;
      progress.case_name = case_.plan.case_name;
      callbacks().on_progress(progress);
      both = measure_alternating(first, second, callbacks());
    } else {
      both.first = measure_case(first, callbacks());
      if (!was_interrupted(both.first)) both.second = measure_case(second, callbacks());
    }
    if (head_first) return {std::move(both.second), std::move(both.first)};
    return {std::move(both.first), std::move(both.second)};
  }

  LaunchRequest request_for_side(const fs::path& folder, const fs::path& program) const {
    LaunchRequest request = case_.case_plan.request;
    request.program = program;
    request.out_dir = folder;
    request.groups = {Group::timed};
    request.may_lengthen_windows = false;
    request.plan.steps.insert(steps_.begin(), steps_.end());
    fs::remove(folder / "measurement.json");
    return request;
  }

  /// Both sides get the same CPUs, so that a better CPU does not look like a better build.
  void tell_cpus(const Measurement& measured) {
    told_cpus_ = true;
    const auto fact = [&](const char* key) {
      const auto found = measured.host.find(key);
      return found == measured.host.end() ? std::string() : found->second;
    };
    const std::int64_t asked = std::max(case_.case_plan.request.plan.cpus, case_.case_plan.request.plan.threads);
    const std::int64_t had = std::strtoll(fact("affinity_count").c_str(), nullptr, 10);
    if (had == 0) return;
    const std::string cpus = fmt::format("CPU{} {}", had == 1 ? "" : "s", fact("affinity"));
    const char* how = alternates() ? "take turns on" : "run one after the other on";
    caller_.observer.on_notice(
        {had < asked ? Severity::warning : Severity::note,
         fmt::format("{}: base and head {} the same {}{}", case_.plan.case_name, how, cpus,
                     had < asked ? fmt::format("; the case asks for {}, and no more are available", asked) : "")});
  }

  std::int64_t tries() const { return tries_of(so_far_.pairs); }

  bool is_over(const PairsLook& look) const {
    const PairCount count{.measured = tries(),
                          .clean = clean_pairs(so_far_.pairs),
                          .processes = processes_of(so_far_.pairs) + processes_of(so_far_.control),
                          .clean_control = clean_pairs(so_far_.control)};
    if (count.clean >= case_.plan.most_pairs) return true;
    if (!taint_leaves_no_interim_analysis(case_.plan.most_pairs, count)) return look.decided;
    caller_.observer.on_notice({Severity::warning,
                                fmt::format("{}: {} of {} pairs discarded: no more are started", case_.plan.case_name,
                                            count.measured - count.clean, count.measured),
                                "see what runs now, and stop it: stepgate doctor"});
    return true;
  }

  bool out_of_time() const { return case_.budget_s > 0 && !for_red_ && seconds_since(start_) >= case_.budget_s; }

  fs::path pair_folder(const char* kind, std::size_t i) const { return case_.folder / kind / fmt::format("{:03}", i); }

  /// The launcher counts the one process that it was asked for; a person wants the place in the whole run.
  LaunchCallbacks callbacks() const {
    const std::int64_t sides = so_far_.control.empty() ? 2 : 4;
    const auto done = static_cast<std::int64_t>(2 * (so_far_.pairs.size() + so_far_.control.size()));
    return callbacks_for(caller_, {.done = done, .planned = std::max(sides * case_.plan.most_pairs, done + 1)});
  }

  const PairCase& case_;
  const Caller& caller_;
  std::vector<bool> orders_;
  std::vector<bool> control_orders_;
  PairsSoFar so_far_;
  bool told_cpus_ = false;
  bool may_lengthen_ = false;
  bool for_red_ = false;             ///< the control of a red is measured now, whatever the budget says
  std::string why_not_alternating_;  ///< a side was busy while it waited; "": none so far
  NamedSteps steps_;                 ///< over those of the plan
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

PairsSoFar measure_pairs(const PairCase& pair_case, const Caller& caller, const LookAtPairs& look) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(PairSequence::most_orders(pair_case.plan)));
  std::iota(all.begin(), all.end(), 0);
  return measure_pairs_at(all, pair_case, caller, look);
}

PairsSoFar measure_pairs_at(const std::vector<std::int64_t>& indices, const PairCase& pair_case, const Caller& caller,
                            const LookAtPairs& look) {
  return PairSequence(pair_case, caller).run(indices, look);
}

std::vector<MeasuredPair> measure_control_pairs(const PairCase& pair_case, const Caller& caller, std::int64_t count) {
  return PairSequence(pair_case, caller).run_control(count);
}

}  // namespace stepgate
