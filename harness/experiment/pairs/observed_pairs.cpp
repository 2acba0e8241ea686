#include "experiment/pairs/observed_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/text/number_format.h"
#include "diagnose/difference/find_step_difference.h"
#include "experiment/plan/measurement_files.h"
#include "launch/pair_order.h"
#include "system/elapsed.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// The observed work of the only process of a measurement.
const ProfileRun* observed_in(const Measurement& measurement) {
  if (measurement.replicates.empty()) return nullptr;
  const std::optional<RunRecord>& record = measurement.replicates.front().record;
  if (!record || !record->profile || !record->profile->observed || record->profile->observed->steps <= 0)
    return nullptr;
  return &*record->profile;
}

constexpr std::string_view fewer_steps =
    "run it again on a machine that does nothing else, or give the case fewer steps of pass profile: --steps profile=N";

/// One side's measurement from an interrupted run. A failed one says nothing, so it is measured again.
std::optional<Measurement> observed_before(const fs::path& folder, const MeasurementIdentity& identity) {
  std::optional<Measurement> measurement = completed_measurement(folder, identity);
  if (measurement && observed_in(*measurement) == nullptr) return std::nullopt;
  return measurement;
}

class Observing {
 public:
  Observing(const ObservedCase& observed, const Caller& caller) : observed_(observed), caller_(caller) {}

  ObservedPairs run() {
    const auto orders =
        head_first_orders(observed_.order_seed, observed_.request.case_name + " (observed)", most_observed_pairs);
    for (std::size_t i = 0; i < orders.size() && fits_another(); ++i) {
      const auto begin = Clock::now();
      if (!pair(i, orders[i])) return std::move(found_);
      longest_pair_s_ = std::max(longest_pair_s_, seconds_since(begin));
    }
    if (std::ssize(found_.base) < fewest_difference_pairs) {
      found_.problem = fmt::format("a pair of observed processes takes {:.0f} s: {} do not fit into {:.0f} s",
                                   longest_pair_s_, counted(fewest_difference_pairs, "pair"), most_observing_s);
      found_.remedy = fewer_steps;
    }
    return std::move(found_);
  }

 private:
  /// The first pair tells whether enough of them fit. If not, that one pair still shows which work changed.
  bool fits_another() const {
    const auto measured = std::ssize(found_.base);
    if (measured == 0) return true;
    const double left = most_observing_s - seconds_since(start_);
    const auto needed = std::max<std::int64_t>(1, fewest_difference_pairs - measured);
    return static_cast<double>(needed) * longest_pair_s_ <= left;
  }

  /// Returns false if the pair failed or was interrupted.
  bool pair(std::size_t i, bool head_first) {
    const fs::path folder = observed_.folder / fmt::format("{:03}", i);
    auto base = observed_before(folder / "base", identity_of(observed_.builds.base));
    auto head = observed_before(folder / "head", identity_of(observed_.builds.head));
    if (!base || !head) {
      if (!measure(folder, head_first, base, head)) return false;
    }
    const bool both = take(*base, "base", found_.base) && take(*head, "head", found_.head);
    if (both) return true;
    found_.base.resize(found_.head.size());
    if (std::ssize(found_.head) >= fewest_difference_pairs) found_.problem = found_.remedy = "";
    return false;
  }

  MeasurementIdentity identity_of(const fs::path& program) const {
    return {observed_.request.case_name, program, observed_.request.plan.seed};
  }

  bool measure(const fs::path& folder, bool head_first, std::optional<Measurement>& base,
               std::optional<Measurement>& head) {
    for (const bool is_head : {head_first, !head_first}) {
      const fs::path side = folder / (is_head ? "head" : "base");
      (is_head ? head : base) = measure_side(side, is_head ? observed_.builds.head : observed_.builds.base);
      if (!was_interrupted(is_head ? *head : *base) && caller_.interrupted == 0) continue;
      found_.interrupted = true;
      found_.problem = "stopped by a signal";
      return false;
    }
    return true;
  }

  Measurement measure_side(const fs::path& folder, const fs::path& program) const {
    LaunchRequest request = observed_.request;
    request.program = program;
    request.out_dir = folder;
    request.groups = {Group::profile};
    request.profile_parts = ProfileParts::observe;
    request.may_lengthen_windows = false;
    request.plan.timed_replicates = 1;
    request.plan.max_retries = 0;  // noise is what the pairs average over
    request.plan.timeout_s = std::min(request.plan.timeout_s, std::max(1.0, most_observing_s - seconds_since(start_)));
    const auto done = static_cast<std::int64_t>(2 * found_.base.size());
    Measurement measurement =
        measure_case(request, callbacks_for(caller_, {.done = done, .planned = 2 * most_observed_pairs}));
    if (!was_interrupted(measurement)) write_measurement(folder, measurement);
    return measurement;
  }

  bool take(const Measurement& measurement, const char* side, std::vector<ProfileRun>& into) {
    if (const ProfileRun* run = observed_in(measurement)) {
      into.push_back(*run);
      return true;
    }
    const auto failed = std::find_if(measurement.replicates.begin(), measurement.replicates.end(), counts_as_failed);
    const std::string why =
        failed == measurement.replicates.end() ? "its record has no observed operators" : failed->failure->message;
    found_.problem = fmt::format("the {} build could not be observed: {}", side, why);
    const bool is_slow = failed != measurement.replicates.end() && failed->failure->kind == FailureKind::timed_out;
    found_.remedy = is_slow
                        ? std::string(fewer_steps)
                        : fmt::format("build it with this version of stepgate: older {} builds have no observer", side);
    return false;
  }

  const ObservedCase& observed_;
  const Caller& caller_;
  ObservedPairs found_;
  double longest_pair_s_ = 0;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

ObservedPairs observe_pairs(const ObservedCase& observed, const Caller& caller) {
  return Observing(observed, caller).run();
}

}  // namespace stepgate
