#include "measure/profile/trace_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "core/error.h"

namespace stepgate {
namespace {

struct ScheduleField {
  std::string_view name;
  std::int64_t TraceSchedule::*member;
  std::int64_t least;
};
constexpr std::array schedule_fields = {
    ScheduleField{"skip", &TraceSchedule::skip, 0}, ScheduleField{"wait", &TraceSchedule::wait, 0},
    ScheduleField{"warmup", &TraceSchedule::warmup, 0}, ScheduleField{"active", &TraceSchedule::active, 1},
    ScheduleField{"repeat", &TraceSchedule::repeat, 1}};

[[noreturn]] void refuse_word(std::string_view word, const std::string& why) {
  throw Error(ErrorKind::usage, fmt::format("schedule of the trace: \"{}\": {}", word, why),
              "write it as skip=3,wait=0,warmup=2,active=5,repeat=1");
}

void read_word(std::string_view word, TraceSchedule& schedule) {
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  const auto* field = std::find_if(schedule_fields.begin(), schedule_fields.end(),
                                   [&](const ScheduleField& one) { return one.name == name; });
  if (field == schedule_fields.end() || equals == std::string_view::npos) {
    refuse_word(word, "not one of skip, wait, warmup, active and repeat with a number");
  }
  const std::string_view digits = word.substr(equals + 1);
  std::int64_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || number < field->least ||
      number > 1'000'000) {
    refuse_word(word, fmt::format("not a whole number from {} to 1000000", field->least));
  }
  schedule.*field->member = number;
}

}  // namespace

std::int64_t steps_that_fit(const TraceSchedule& schedule, std::int64_t calls_per_step) {
  if (calls_per_step <= 0) return schedule.active;
  return std::clamp<std::int64_t>(most_traced_calls / calls_per_step, 1, schedule.active);
}

TraceSchedule read_trace_schedule(std::string_view text) {
  TraceSchedule schedule;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    read_word(text.substr(begin, end - begin), schedule);
    begin = end + 1;
  }
  if (schedule.active * schedule.repeat > most_traced_steps) {
    refuse_word(text, fmt::format("{} steps would be traced, at most {} are: viewers cannot open more",
                                  schedule.active * schedule.repeat, most_traced_steps));
  }
  return schedule;
}

}  // namespace stepgate
