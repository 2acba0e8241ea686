#include "measure/program/perftest_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <set>

#include "core/error.h"
#include "system/nearest_name.h"

namespace stepgate {
namespace {

struct FlagValue {
  std::string_view flag;
  std::string_view value;
};

[[noreturn]] void refuse(const FlagValue& given, const std::string& expected) {
  throw Error(ErrorKind::usage, fmt::format("{}={}: not {}", given.flag, given.value, expected),
              "see --help for what each flag takes");
}

template <typename Number>
Number number_at_least(const FlagValue& given, Number least) {
  Number number{};
  const char* const end = given.value.data() + given.value.size();
  const auto read = std::from_chars(given.value.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end || number < least) {
    refuse(given, fmt::format("a whole number from {}", least));
  }
  return number;
}

Group group_of(const FlagValue& given) {
  const auto group = group_named(given.value);
  if (!group) refuse(given, "timed, exact, reference or profile");
  return *group;
}

std::string device_of(const FlagValue& given) {
  if (given.value != "cpu" && given.value != "cuda") refuse(given, "cpu or cuda");
  return std::string(given.value);
}

ProfileParts profile_parts_of(const FlagValue& given) {
  const auto parts = profile_parts_named(given.value);
  if (!parts) refuse(given, "all, observe or experiments");
  return *parts;
}

std::string_view not_empty(const FlagValue& given) {
  if (given.value.empty()) refuse(given, "a value");
  return given.value;
}

void read_param(PerftestArguments& arguments, const FlagValue& given) {
  const std::size_t equals = given.value.find('=');
  if (equals == 0 || equals == std::string_view::npos) refuse(given, "<name>=<value>");
  const std::string name(given.value.substr(0, equals));
  if (!arguments.params.emplace(name, given.value.substr(equals + 1)).second) {
    throw Error(ErrorKind::usage, fmt::format("--stepgate_param={} is given twice", name), "give each parameter once");
  }
}

/// <place>=<offset>,<offset>,... in hexadecimal. A function's name may hold an equals sign.
void read_repeat(PerftestArguments& arguments, const FlagValue& given) {
  const std::size_t equals = given.value.rfind('=');
  const char* wanted = "<place>=<offset>,<offset>,... in hexadecimal";
  if (equals == 0 || equals == std::string_view::npos) refuse(given, wanted);
  RepeatedPlace place{.name = std::string(given.value.substr(0, equals)), .offsets = {}};
  for (std::size_t begin = equals + 1; begin <= given.value.size();) {
    const std::size_t end = std::min(given.value.find(',', begin), given.value.size());
    std::uint64_t offset = 0;
    const auto read = std::from_chars(given.value.data() + begin, given.value.data() + end, offset, 16);
    if (read.ec != std::errc() || read.ptr != given.value.data() + end) refuse(given, wanted);
    place.offsets.push_back(offset);
    begin = end + 1;
  }
  std::ranges::sort(place.offsets);
  if (std::ranges::find(arguments.repeats, place.name, &RepeatedPlace::name) != arguments.repeats.end()) {
    throw Error(ErrorKind::usage, fmt::format("{}={} is given twice", given.flag, place.name), "give each place once");
  }
  arguments.repeats.push_back(std::move(place));
}

std::vector<int> descriptors_of(const FlagValue& given) {
  std::vector<int> numbers;
  for (std::size_t begin = 0; begin <= given.value.size();) {
    const std::size_t end = std::min(given.value.find(',', begin), given.value.size());
    numbers.push_back(number_at_least<int>({given.flag, given.value.substr(begin, end - begin)}, 0));
    begin = end + 1;
  }
  return numbers;
}

/// <name>,<name>,... of experiments that run in blocks.
void read_experiments(PerftestArguments& arguments, const FlagValue& given) {
  for (std::size_t begin = 0; begin <= given.value.size();) {
    const std::size_t end = std::min(given.value.find(',', begin), given.value.size());
    const auto experiment = experiment_named(given.value.substr(begin, end - begin));
    if (!experiment || row_of(*experiment).arrangement != Arrangement::block) {
      refuse(given, "experiments of the blocks, as synthetic-batch,optimizer-skipped");
    }
    arguments.experiments.push_back(*experiment);
    begin = end + 1;
  }
}

/// May be given more than once.
constexpr std::array<std::string_view, 2> repeatable_flags = {"--stepgate_param", "--stepgate_repeat"};

struct Flag {
  std::string_view name;
  std::function<void(PerftestArguments&, const FlagValue&)> read;
};

const std::vector<Flag>& stepgate_flags() {
  using Args = PerftestArguments;
  using Value = FlagValue;
  static const std::vector<Flag> flags = {
      {"--stepgate_case", [](Args& a, const Value& v) { a.case_name = not_empty(v); }},
      {"--stepgate_group", [](Args& a, const Value& v) { a.group = group_of(v); }},
      {"--stepgate_record", [](Args& a, const Value& v) { a.record = not_empty(v); }},
      {"--stepgate_seed", [](Args& a, const Value& v) { a.seed = number_at_least<std::uint64_t>(v, 0); }},
      {"--stepgate_replicate", [](Args& a, const Value& v) { a.replicate = number_at_least<std::int64_t>(v, 0); }},
      {"--stepgate_threads", [](Args& a, const Value& v) { a.threads = number_at_least<std::int64_t>(v, 1); }},
      {"--stepgate_device", [](Args& a, const Value& v) { a.device = device_of(v); }},
      {"--stepgate_data", [](Args& a, const Value& v) { a.data_dir = not_empty(v); }},
      {"--stepgate_param", read_param},
      {"--stepgate_steps", [](Args& a, const Value& v) { a.steps = read_step_counts(not_empty(v), v.flag); }},
      {"--stepgate_profile", [](Args& a, const Value& v) { a.profile_parts = profile_parts_of(v); }},
      {"--stepgate_experiments", read_experiments},
      // Internal, not in --help: offsets of calls mean nothing to a person.
      {"--stepgate_repeat", read_repeat},
      {"--stepgate_trace", [](Args& a, const Value& v) { a.trace = not_empty(v); }},
      {"--stepgate_trace_schedule", [](Args& a, const Value& v) { a.trace_schedule = not_empty(v); }},
      // Internal, not in --help: set by the launcher for a pair of processes in alternating windows.
      {"--stepgate_turns", [](Args& a, const Value& v) { a.turns = number_at_least<int>(v, 0); }},
      // Internal, not in --help: set by train_together.h for the ranks that it starts.
      {"--stepgate_rank", [](Args& a, const Value& v) { a.rank = number_at_least<std::int64_t>(v, 0); }},
      {"--stepgate_rendezvous", [](Args& a, const Value& v) { a.rendezvous = not_empty(v); }},
      {"--stepgate_rank_sockets", [](Args& a, const Value& v) { a.rank_sockets = descriptors_of(v); }},
      {"--stepgate_rank_alarm", [](Args& a, const Value& v) { a.rank_alarm = number_at_least<int>(v, 0); }},
  };
  return flags;
}

[[noreturn]] void refuse_unknown(std::string_view flag) {
  std::vector<std::string_view> names = {"--list", "--json", "--help", "--stepgate_allow_debug"};
  for (const Flag& known : stepgate_flags()) names.push_back(known.name);
  const auto near = nearest_name(flag, names);
  throw Error(ErrorKind::usage, fmt::format("unknown flag {}", flag),
              near ? fmt::format("did you mean {}? --help lists all flags", *near) : "--help lists all flags");
}

/// The flags that were given, to find missing and repeated ones.
using Seen = std::set<std::string_view>;

void read_stepgate_flag(PerftestArguments& arguments, std::string_view argument, Seen& seen) {
  const std::size_t equals = argument.find('=');
  const std::string_view name = argument.substr(0, equals);
  for (const Flag& flag : stepgate_flags()) {
    if (flag.name != name) continue;
    if (!seen.insert(flag.name).second && std::ranges::find(repeatable_flags, name) == repeatable_flags.end()) {
      throw Error(ErrorKind::usage, fmt::format("{} is given twice", name), "give it once");
    }
    if (equals == std::string_view::npos) {
      throw Error(ErrorKind::usage, fmt::format("{} needs a value", name), fmt::format("write {}=VALUE", name));
    }
    flag.read(arguments, {name, argument.substr(equals + 1)});
    return;
  }
  refuse_unknown(name);
}

void settle_mode(PerftestArguments& arguments, const Seen& seen) {
  if (seen.contains("--help")) {
    arguments.mode = PerftestMode::help;
  } else if (seen.contains("--list")) {
    arguments.mode = seen.contains("--json") ? PerftestMode::list_json : PerftestMode::list;
  } else if (seen.contains("--json")) {
    throw Error(ErrorKind::usage, "--json goes with --list only", "use --benchmark_format=json for results");
  } else if (seen.contains("--stepgate_case") || seen.contains("--stepgate_group") ||
             seen.contains("--stepgate_record")) {
    arguments.mode = PerftestMode::record;
    for (const std::string_view flag : {"--stepgate_case", "--stepgate_group", "--stepgate_record"}) {
      if (!seen.contains(flag)) {
        throw Error(ErrorKind::usage, fmt::format("{} is missing", flag),
                    "a run record needs --stepgate_case, --stepgate_group and --stepgate_record");
      }
    }
    if (seen.contains("--stepgate_rank") &&
        !(seen.contains("--stepgate_rendezvous") && seen.contains("--stepgate_rank_sockets"))) {
      throw Error(ErrorKind::usage,
                  "--stepgate_rank alone starts no rank: the perftest program starts all ranks of a case itself",
                  "leave it out");
    }
    if (!arguments.benchmark_arguments.empty()) {
      throw Error(ErrorKind::usage,
                  fmt::format("{} does not go with --stepgate_record", arguments.benchmark_arguments.front()),
                  "a run record always holds the whole group");
    }
  }
}

}  // namespace

PerftestArguments parse_perftest_arguments(const std::vector<std::string>& given) {
  PerftestArguments arguments;
  arguments.given = given;
  Seen seen;
  for (const std::string& argument : given) {
    if (argument == "--list" || argument == "--json" || argument == "--help") {
      seen.insert(argument);
    } else if (argument == "--stepgate_allow_debug") {
      arguments.allow_debug = true;
    } else if (argument == "--stepgate_emulated") {  // internal, not in --help: the launcher starts the emulation
      arguments.emulated = true;
    } else if (argument.starts_with("--benchmark_")) {
      arguments.benchmark_arguments.push_back(argument);
    } else if (argument.starts_with("--stepgate_")) {
      read_stepgate_flag(arguments, argument, seen);
    } else {
      refuse_unknown(argument);
    }
  }
  settle_mode(arguments, seen);
  return arguments;
}

namespace {

/// "/e2e, /phase, ...": how the benchmarks of a group end.
std::string benchmark_endings(Group group) {
  std::vector<std::string> endings;
  for (const PassRow& row : pass_table) {
    if (row.group == group) endings.push_back(fmt::format("/{}", row.name));
  }
  return fmt::format("{}", fmt::join(endings, ", "));
}

}  // namespace

std::string perftest_help(const std::string& program) {
  return fmt::format(R"(usage: {0} [--benchmark_filter=REGEX] [--benchmark_format=json] ...
       {0} --list [--json]
       {0} --stepgate_case=NAME --stepgate_group=timed|exact|reference|profile --stepgate_record=FILE [...]

Without --stepgate_record this is an ordinary Google Benchmark program. Each case has one benchmark per pass, named
<case>{2} (timed) and {3} (exact, no times).

  --list                      names of all cases; with --json also device, dtype, params, steps, version
  --stepgate_case=NAME        run this case ...
  --stepgate_group=GROUP      ... the passes of this group: timed, exact, reference or profile
  --stepgate_record=FILE      ... and write what they found as a run record (JSON)
  --stepgate_seed=N           seed of torch::manual_seed before each build of the workload (default {1})
  --stepgate_replicate=I      number of this process in its measurement, echoed in the record (default 0)
  --stepgate_threads=N        intra-op threads of timed passes (default 1; exact passes always use 1)
  --stepgate_device=DEVICE    cpu or cuda (default: what the case declares)
  --stepgate_data=DIR         folder with the training data
  --stepgate_param=NAME=VALUE a parameter of the case instead of the declared one; may be repeated
  --stepgate_steps=LIST       step counts instead of the declared ones, e.g. e2e=60,window=10
  --stepgate_profile=PARTS    group profile: all (default), observe: operators alone, experiments: these alone,
                              or repeats: places of --stepgate_repeat=NAME=OFFSETS, as the launcher gives them
  --stepgate_experiments=LIST group profile: these experiments alone, as synthetic-batch,optimizer-skipped (default:
                              all that the step allows)
  --stepgate_trace=FILE       group profile: process 0 writes a chrome trace, zipped where FILE ends with .gz
  --stepgate_trace_schedule=S steps of that trace, e.g. skip=3,wait=0,warmup=2,active=5,repeat=1 (the default)
  --stepgate_allow_debug      write a record even from a debug build

Exit status: 0 done, 1 the workload failed, 2 usage, 3 could not measure, 77 skipped: no such device.
)",
                     program, Plan{}.seed, benchmark_endings(Group::timed), benchmark_endings(Group::exact));
}

}  // namespace stepgate
