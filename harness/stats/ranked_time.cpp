#include "stats/ranked_time.h"

#include <algorithm>

namespace stepgate {

std::optional<Span> RankedTime::add(const Span& span, std::size_t rank) {
  if (span.end <= within_.begin || span.begin >= within_.end) return std::nullopt;
  const std::optional<Span> idle = advance(std::max(span.begin, within_.begin));
  ends_[rank] = std::max(ends_[rank], std::min(span.end, within_.end));
  return idle;
}

std::optional<Span> RankedTime::advance(std::int64_t until) {
  while (now_ < until) {
    const auto running = std::find_if(ends_.begin(), ends_.end(), [&](std::int64_t end) { return end > now_; });
    if (running == ends_.end()) {
      const Span idle{now_, until};
      idle_ += idle.length();
      now_ = until;
      return idle;
    }
    const std::int64_t end = std::min(*running, until);
    lengths_[static_cast<std::size_t>(running - ends_.begin())] += end - now_;
    now_ = end;
  }
  return std::nullopt;
}

}  // namespace stepgate
