#include "judge/history/session_slots.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace stepgate {

std::vector<std::size_t> session_slots(const std::vector<HistorySession>& sessions) {
  std::vector<std::size_t> by_time(sessions.size());
  std::iota(by_time.begin(), by_time.end(), std::size_t{0});
  std::sort(by_time.begin(), by_time.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(sessions[a].runner_class, sessions[a].unix_s) <
           std::tie(sessions[b].runner_class, sessions[b].unix_s);
  });
  std::vector<std::size_t> slots(sessions.size());
  std::size_t slot = 0;
  const HistorySession* first = nullptr;  // of the slot
  for (const std::size_t i : by_time) {
    const HistorySession& session = sessions[i];
    const bool joins = first != nullptr && first->runner_class == session.runner_class &&
                       session.unix_s - first->unix_s < history_slot_s;
    if (!joins) {
      ++slot;
      first = &session;
    }
    slots[i] = slot;
  }
  return slots;
}

}  // namespace stepgate
