#include "cli/options/profile_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <sstream>

#include "core/error.h"
#include "core/text/excerpt.h"

namespace stepgate {
namespace {

constexpr std::string_view of_profile = "profile";
constexpr std::string_view of_stored_too = "profile, report";

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

void need_known_schedule(const Options& o) {
  need_single_build(o);
  if (o.schedule == "none") return;
  std::int64_t active = 5;
  std::int64_t repeat = 1;
  std::istringstream words(o.schedule);
  for (std::string word; std::getline(words, word, ',');) {
    const ScheduleNumber number = schedule_number(word);
    if (number.name == "active") active = number.value;
    if (number.name == "repeat") repeat = number.value;
  }
  if (active * repeat <= most_traced_steps) return;
  refuse_schedule(o.schedule,
                  fmt::format("{} steps would be traced, at most {} are", active * repeat, most_traced_steps));
}

void need_profile(const Options& o) {
  need_single_build(o);
  if (o.command == "profile" && !o.trace.empty()) {
    throw Error(ErrorKind::usage,
                "--trace says where the time of a trace goes; --sort, --by, --rows, --checklist and --smoke are about "
                "the profile of a case",
                "leave them out; or profile a case: stepgate profile CASE");
  }
  if (o.command != "report" || o.profile) return;
  throw Error(ErrorKind::usage, "--sort, --by, --rows, --checklist and --smoke of report need --profile",
              "add --profile: stepgate report --profile CASE");
}

void need_page(const Options& o) {
  need_profile(o);
  if (!o.json) return;
  throw Error(ErrorKind::usage, "--checklist and --smoke print lists, and --json asks for a document",
              "leave out --json; the answers as JSON are in profile.json, below checklist");
}

void need_no_case(const Options& o) {
  need_single_build(o);
  if (o.arguments.empty()) return;
  throw Error(ErrorKind::usage, "--trace reads a file and measures nothing, and a case was named",
              "leave out the case: stepgate profile --trace FILE; or leave out --trace");
}

}  // namespace

void need_single_build(const Options& o) {
  if (o.command != "profile" || o.base_build.empty()) return;
  throw Error(ErrorKind::usage,
              "profile --base-build compares the operators of two builds, and --phase, --prove, --replicates, "
              "--schedule, --sort, --by, --rows, --checklist, --smoke and --trace have no effect on that",
              "leave them out; or profile one build: leave out --base-build, and unset STEPGATE_BASE_BUILD");
}

std::vector<OptionRow> profile_rows() {
  return {
      OptionRow{"phase", "baseline|kind|component|operator", "", of_profile,
                "last phase; the ones before it always run (default operator: all)",
                choice_into(&Options::phase, "baseline|kind|component|operator"), need_single_build},
      OptionRow{
          "prove", "auto|off|all", "", of_profile,
          "experiments: with four to eight processes (auto, the default), none, or up to 16 until all are decided",
          choice_into(&Options::prove, "auto|off|all"), need_single_build},
      OptionRow{"schedule", "skip=3,...", "", of_profile,
                "steps of the chrome trace, a file for each repeat (default skip=3,wait=0,warmup=2,active=5,repeat=1); "
                "none: no trace",
                text_into(&Options::schedule, "steps by name, e.g. skip=3,warmup=2,active=5"), need_known_schedule},
      OptionRow{"sort", "self|total|calls|flops|bytes", "", of_stored_too,
                "what the table of operators is sorted by (default self: time without the operators that it called)",
                choice_into(&Options::sort, "self|total|calls|flops|bytes"), need_profile},
      OptionRow{"by", "operator|shape|line", "", of_stored_too,
                "rows of that table: an operator at a line (default), each shape of it, or a line of the code",
                choice_into(&Options::by, "operator|shape|line"), need_profile},
      OptionRow{"rows", "N", "", of_stored_too, "rows of that table (default 10)",
                count_into(&Options::rows, CountRange{.least = 1, .most = 10'000}), need_profile},
      OptionRow{"trace", "FILE", "", of_profile,
                "instead of a case: where the time of a trace of PyTorch's profiler goes (.json or .json.gz)",
                path_into(&Options::trace, "a file"), need_no_case},
      OptionRow{"profile", "", "", "report", "print the stored profiles again, instead of verdicts",
                switch_on(&Options::profile)},
      OptionRow{"checklist", "", "", of_stored_too, "print every question of the checklists with its answer",
                switch_on(&Options::checklist), need_page},
      OptionRow{"smoke", "", "", of_stored_too, "print the five smoke tests only", switch_on(&Options::smoke),
                need_page},
  };
}

}  // namespace stepgate
