#include "core/verdict/late_break.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace stepgate {
namespace {

std::string value_text(double value) {
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

}  // namespace

std::vector<LateBreak> late_breaks(const std::vector<ProcessLosses>& processes) {
  std::map<std::string, LateBreak> first;
  for (const ProcessLosses& process : processes) {
    for (const auto& [pass, losses] : process.passes) {
      for (const auto& [metric, found] : losses.breaks) {
        const auto [at, fresh] =
            first.emplace(metric, LateBreak{metric, pass, process.group, process.replicate, found});
        if (!fresh && found.step < at->second.found.step)
          at->second = {metric, pass, process.group, process.replicate, found};
      }
    }
  }
  std::vector<LateBreak> breaks;
  for (auto& [metric, one] : first) breaks.push_back(std::move(one));
  return breaks;
}

std::optional<LateBreak> break_of_base(const std::vector<ProcessLosses>& base, const LateBreak& of_head) {
  std::vector<ProcessLosses> alike;
  std::copy_if(base.begin(), base.end(), std::back_inserter(alike),
               [&](const ProcessLosses& process) { return process.group == of_head.group; });
  for (LateBreak& one : late_breaks(alike)) {
    const bool counts = of_head.group == Group::timed || one.found.step <= of_head.found.step;
    if (one.metric == of_head.metric && counts) return one;
  }
  return std::nullopt;
}

std::string text_of(const LateBreak& one) {
  return value_text(one.found.value) + " in step " + std::to_string(one.found.step) + ", pass " + one.pass + " of " +
         std::string(name_of(one.group)) + " process " + std::to_string(one.replicate);
}

}  // namespace stepgate
