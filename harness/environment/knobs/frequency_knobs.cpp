#include "environment/knobs/frequency_knobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "environment/knobs/clock_policy.h"
#include "environment/knobs/occupied_cpus.h"
#include "environment/knobs/settled_knob.h"
#include "environment/knobs/turbo_knob.h"
#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

constexpr std::string_view performance = "performance";

/// Restore rank of the minimum: an original minimum may be above the maximum of the run.
constexpr int after_maximum = 1;

/// A file of each policy that takes one of the values which another file lists.
struct ListedChoice {
  std::string knob;
  std::string file;
  std::string offers;
};

/// What a policy offers if "performance" is not among it, else "".
std::string offered_instead(const HostFiles& files, const ClockPolicy& policy, const ListedChoice& choice) {
  const std::string offered = files.read(fmt::format("{}/{}", policy.folder, choice.offers)).value_or("");
  const auto words = words_of(offered);
  if (std::find(words.begin(), words.end(), performance) != words.end()) return "";
  return words.empty() ? "nothing" : offered;
}

KnobPlan plan_performance(const HostFiles& files, const HostWishes& wishes, const ListedChoice& choice) {
  const auto policies = clock_policies_of(files, occupied_cpus(wishes));
  if (policies.empty()) return settled_plan(no_clock_control(files, choice.knob));
  std::vector<KnobChange> changes;
  std::string reason = fmt::format("the clock driver has no {}", choice.file);
  bool as_wanted = false;
  for (const ClockPolicy& policy : policies) {
    const std::string file = fmt::format("{}/{}", policy.folder, choice.file);
    const auto original = files.read(file);
    if (!original) continue;
    if (*original == performance) {
      as_wanted = true;
    } else if (const std::string offered = offered_instead(files, policy, choice); !offered.empty()) {
      reason = fmt::format("the clock driver offers {} and not {}", offered, performance);
    } else {
      changes.push_back({choice.knob, ChangeKind::file, file, *original, std::string(performance)});
    }
  }
  if (changes.empty() && !as_wanted) return settled_plan(unsupported_knob(choice.knob, reason));
  return changes_or_settled(files, std::move(changes), already_knob(choice.knob, std::string(performance), ""));
}

/// True if turbo is off already or this run may switch it off.
bool turbo_goes_off(const HostFiles& files, const HostWishes& wishes) {
  const KnobPlan turbo = plan_turbo(files, wishes);
  return !turbo.changes.empty() || turbo.settled.front().state == KnobState::already;
}

struct Limits {
  std::int64_t lowest_khz = 0;
  std::int64_t highest_khz = 0;
};

std::optional<Limits> limits_of(const HostFiles& files, const ClockPolicy& policy) {
  const auto lowest = khz_in(files, policy, "scaling_min_freq");
  const auto highest = khz_in(files, policy, "scaling_max_freq");
  if (!lowest || !highest) return std::nullopt;
  return Limits{*lowest, *highest};
}

/// What both limits become.
std::int64_t steady_clock_khz(const HostFiles& files, const ClockPolicy& policy, const Limits& now,
                              bool without_turbo) {
  const auto sustained = without_turbo ? clock_without_turbo_khz(files, policy) : std::nullopt;
  return sustained ? std::min(*sustained, now.highest_khz) : now.highest_khz;
}

}  // namespace

KnobPlan plan_governor(const HostFiles& files, const HostWishes& wishes) {
  return plan_performance(files, wishes, {"governor", "scaling_governor", "scaling_available_governors"});
}

KnobPlan plan_energy_preference(const HostFiles& files, const HostWishes& wishes) {
  return plan_performance(
      files, wishes,
      {"energy_preference", "energy_performance_preference", "energy_performance_available_preferences"});
}

KnobPlan plan_frequency_limits(const HostFiles& files, const HostWishes& wishes) {
  const std::string knob = "frequency_limits";
  const auto policies = clock_policies_of(files, occupied_cpus(wishes));
  if (policies.empty()) return settled_plan(no_clock_control(files, knob));
  const bool without_turbo = turbo_goes_off(files, wishes);
  std::vector<KnobChange> changes;
  std::vector<std::string> steady;
  for (const ClockPolicy& policy : policies) {
    const auto now = limits_of(files, policy);
    if (!now) continue;
    const std::int64_t wanted_khz = steady_clock_khz(files, policy, *now, without_turbo);
    const std::string wanted = std::to_string(wanted_khz);
    if (std::find(steady.begin(), steady.end(), wanted) == steady.end()) steady.push_back(wanted);
    if (now->lowest_khz != wanted_khz) {
      changes.push_back({knob, ChangeKind::file, policy.folder + "/scaling_min_freq", std::to_string(now->lowest_khz),
                         wanted, after_maximum});
    }
    if (now->highest_khz != wanted_khz) {
      changes.push_back(
          {knob, ChangeKind::file, policy.folder + "/scaling_max_freq", std::to_string(now->highest_khz), wanted});
    }
  }
  if (steady.empty()) return settled_plan(unsupported_knob(knob, "the clock driver has no limits to set"));
  return changes_or_settled(files, std::move(changes),
                            already_knob(knob, fmt::format("{}", fmt::join(steady, ", ")), "the limits meet already"));
}

}  // namespace stepgate
