#include "report/studies/sweep_text.h"

#include <fmt/format.h>

#include "core/text/number_format.h"

namespace stepgate {

std::string setting_text(const Sweep& sweep, std::size_t setting) {
  std::string text;
  for (std::size_t i = 0; i < sweep.parameters.size(); ++i) {
    text += fmt::format("{}{}={}", i == 0 ? "" : " ", sweep.parameters[i].name, sweep.settings[setting].values[i]);
  }
  return text;
}

std::string settings_text(const Sweep& sweep, Standing standing) {
  std::string text;
  for (const SettingRank& rank : sweep.ranking.ranks) {
    if (rank.standing == standing) text += (text.empty() ? "" : "; ") + setting_text(sweep, rank.setting);
  }
  return text;
}

std::string change_bounds_text(const Interval& interval) {
  return fmt::format("[{}, {}]", change_text(interval.lower), change_text(interval.upper));
}

std::string knee_text(const Knee& knee) {
  const std::string bounds = knee.interval ? " " + change_bounds_text(*knee.interval) : "";
  const std::string gain = change_text(knee.gain) + bounds;
  switch (knee.more) {
    case More::does_not_help:
      return fmt::format("more than {} does not help: {} brings {}", knee.value, knee.other, gain);
    case More::not_seen_to_help:
      return fmt::format("more than {} does not seem to help, and more rounds would decide: {} brings {}", knee.value,
                         knee.other, gain);
    case More::may_help:
      break;
  }
  return fmt::format("{} is the largest value tried and still the best, {} over {}: more may help", knee.value, gain,
                     knee.other);
}

}  // namespace stepgate
