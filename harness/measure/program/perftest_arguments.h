// The command line of a perftest program, read and checked before anything is built.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/plan.h"
#include "core/profile_parts.h"
#include "core/repeated_place.h"
#include "core/study/experiment.h"
#include "system/step_count_list.h"

namespace stepgate {

enum class PerftestMode {
  help,
  list,       ///< --list: names, one a line
  list_json,  ///< --list --json
  record,     ///< for the launcher: one case, one group, one run record
  by_hand     ///< an ordinary Google Benchmark program over all cases
};

struct PerftestArguments {
  PerftestMode mode = PerftestMode::by_hand;
  std::string case_name;         ///< mode record
  Group group = Group::timed;    ///< mode record
  std::filesystem::path record;  ///< mode record: the file to write
  std::uint64_t seed = Plan{}.seed;
  std::int64_t replicate = 0;         ///< echoed in the record
  std::int64_t threads = 1;           ///< intra-op threads of timed passes; exact passes always use 1
  std::optional<std::string> device;  ///< absent: as each case declares
  std::filesystem::path data_dir;
  std::map<std::string, std::string> params;       ///< over what the case declares
  NamedSteps steps;                                ///< over what the case declares
  ProfileParts profile_parts = ProfileParts::all;  ///< group profile
  std::vector<Experiment> experiments;             ///< group profile: these alone; empty: all that the step allows
  std::vector<RepeatedPlace> repeats;              ///< with ProfileParts::repeats
  std::filesystem::path trace;  ///< group profile: the chrome trace that process 0 writes; empty: none
  std::string trace_schedule;   ///< with `trace`, as trace_schedule.h reads it; "" for its defaults
  bool allow_debug = false;
  bool emulated = false;  ///< the launcher asked for an emulated GPU (measure/device/emulated_gpu.h)
  /// Which of the processes that train together this is; absent in the one that the launcher started
  /// (train_together.h).
  std::optional<std::int64_t> rank;
  std::filesystem::path rendezvous;              ///< folder that the ranks share; with `rank`
  std::vector<int> rank_sockets;                 ///< rank_link.h; with `rank`
  int rank_alarm = -1;                           ///< rank_processes.h; with `rank`
  int turns = -1;                                ///< window_token.h: a socket; -1: the process runs alone
  std::vector<std::string> given;                ///< all arguments as they came
  std::vector<std::string> benchmark_arguments;  ///< --benchmark_..., untouched
};

/// `arguments` is argv without the program. Throws Error(usage) naming the flag for what it does not know, values it
/// cannot read, and flags that are missing or do not go together.
PerftestArguments parse_perftest_arguments(const std::vector<std::string>& arguments);

/// What --help prints.
std::string perftest_help(const std::string& program);

}  // namespace stepgate
