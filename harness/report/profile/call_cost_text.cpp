#include "report/profile/call_cost_text.h"

#include <algorithm>
#include <utility>

#include "core/text/number_format.h"
#include "report/profile/operator_lines.h"
#include "report/profile/profile_text.h"
#include "report/text/clean_text.h"

namespace stepgate {
namespace {

/// A function's name with its template arguments may be longer than a page is wide.
constexpr std::size_t widest_called_place = 80;

std::string called_place(const CallCost& cost) { return cost.at.line > 0 ? short_place(cost.at) : cost.name; }

}  // namespace

std::vector<CallCostLine> call_cost_lines(const Profile& profile) {
  std::vector<CallCostLine> lines;
  for (const CallCost& cost : profile.call_costs) {
    if (!cost.effect) continue;
    lines.push_back({.place = called_place(cost),
                     .calls = count_text(static_cast<double>(cost.calls)),
                     .observed = short_share(cost.observed),
                     .effect = step_change_text(*cost.effect, cost.interval),
                     .proof = cost.proof});
  }
  return lines;
}

std::vector<std::string> no_call_cost_texts(const Profile& profile) {
  std::vector<std::pair<std::string, std::string>> by_reason;  // and the places of each
  for (const CallCost& cost : profile.call_costs) {
    if (cost.effect) continue;
    const std::string reason = cost.absent.empty() ? "fewer than two clean processes" : cost.absent;
    const std::string place = shortened(cost.name, widest_called_place, true);
    const auto known = std::ranges::find(by_reason, reason, &std::pair<std::string, std::string>::first);
    if (known == by_reason.end()) {
      by_reason.emplace_back(reason, place);
    } else {
      known->second += ", " + place;
    }
  }
  std::vector<std::string> texts;
  for (const auto& [reason, places] : by_reason) texts.push_back(places + ": " + reason);
  return texts;
}

}  // namespace stepgate
