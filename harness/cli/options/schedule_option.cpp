#include "cli/options/schedule_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <sstream>
#include <string_view>

#include "core/error.h"
#include "core/text/excerpt.h"

namespace stepgate {
namespace {

/// The words of a trace schedule. More active steps give a file that no viewer opens, and nothing that five do not
/// show. Each cycle is a file of its own, and all of them together hold 20 steps at most.
constexpr std::int64_t most_traced_steps = 20;
struct ScheduleWord {
  std::string_view name;
  std::int64_t least;
  std::int64_t most;
};
constexpr std::array schedule_words = {ScheduleWord{"skip", 0, 1000}, ScheduleWord{"wait", 0, 1000},
                                       ScheduleWord{"warmup", 0, 1000}, ScheduleWord{"active", 1, most_traced_steps},
                                       ScheduleWord{"repeat", 1, most_traced_steps}};

[[noreturn]] void refuse_schedule(const std::string& word, const std::string& what) {
  throw Error(ErrorKind::usage, fmt::format("--schedule: '{}': {}", excerpt(word), what),
              "e.g. --schedule skip=3,wait=0,warmup=2,active=5,repeat=1; or --schedule none: no trace");
}

struct ScheduleNumber {
  std::string_view name;
  std::int64_t value = 0;
};

ScheduleNumber schedule_number(const std::string& text) {
  const std::size_t equals = text.find('=');
  const auto row = std::find_if(schedule_words.begin(), schedule_words.end(),
                                [&](const ScheduleWord& word) { return word.name == text.substr(0, equals); });
  if (row == schedule_words.end() || equals == std::string::npos) {
    refuse_schedule(text, "expected skip, wait, warmup, active or repeat, each with a number");
  }
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + equals + 1, end, value);
  if (read.ec != std::errc() || read.ptr != end || value < row->least || value > row->most) {
    refuse_schedule(text, fmt::format("{} is a whole number from {} to {}", row->name, row->least, row->most));
  }
  return {row->name, value};
}

}  // namespace

void need_known_schedule(const std::string& schedule) {
  if (schedule == "none") return;
  std::int64_t active = 5;
  std::int64_t repeat = 1;
  std::istringstream words(schedule);
  for (std::string word; std::getline(words, word, ',');) {
    const ScheduleNumber number = schedule_number(word);
    if (number.name == "active") active = number.value;
    if (number.name == "repeat") repeat = number.value;
  }
  if (active * repeat <= most_traced_steps) return;
  refuse_schedule(schedule,
                  fmt::format("{} steps would be traced, at most {} are", active * repeat, most_traced_steps));
}

}  // namespace stepgate
