// Starts the processes of a case that trains on several ranks, passes on their output and leaves none behind. The
// process that does this runs no step itself and sleeps while they run, so it survives a rank that crashes.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

struct RankProcesses {
  /// argv of each rank; [0] is executed, PATH is not searched. Each gets two arguments on top:
  /// "--stepgate_rank_sockets=N,...", its wires (rank_link.h), and "--stepgate_rank_alarm=N", one pipe for all of them,
  /// into which a rank that fails writes its number and a line end before it exits. The first number is that of the
  /// rank that failed first, even where this process reads it late.
  std::vector<std::vector<std::string>> commands;
  int places = -1;  ///< descriptor that each rank keeps under its number; -1: none
  /// "NAME=value" that each rank gets on top of the environment, and STEPGATE_RANK with them where there are any.
  std::vector<std::string> variables = {};
  std::vector<std::vector<int>> cpus;  ///< CPUs of each rank, set before its program starts; empty: as this process
  /// Gets each line that a rank writes on stdout or stderr, without its end.
  std::function<void(std::int64_t rank, std::string_view line)> on_line;
  /// Time from the first rank's failure until the others are killed. Most of them fail at once, because their peer is
  /// gone, and may print something useful. One that hangs never does.
  std::chrono::milliseconds grace{2000};
};

/// The rank that failed first; the failures of the others are consequences. A rank that crashed comes before any other.
struct RankFailure {
  std::int64_t rank = 0;
  int status = 0;  ///< exit status; 0 where a signal ended it
  int signal = 0;
  std::string place = {};             ///< where it was (core/process_place.h), "" where that is not known
  std::vector<std::int64_t> stopped;  ///< ranks that still ran after the grace, and were killed
};

struct RanksEnd {
  std::optional<RankFailure> failure;  ///< absent where all ranks ended with status 0
  int interrupted_by = 0;              ///< signal that this process received while they ran: all ranks were killed
};

/// Starts all ranks and waits for all of them. They also die with the calling thread (PR_SET_PDEATHSIG), so call it
/// from the main thread. SIGTERM, SIGINT and SIGHUP end the ranks and are then reported; they do not end this process.
/// Throws Error(measure) where processes or sockets cannot be made, or a rank's program cannot run.
RanksEnd run_ranks(const RankProcesses& request);

/// "rank 1 of 2 was killed by signal 11 (SIGSEGV); still running and stopped: 0".
std::string text_of(const RankFailure& failure, std::int64_t ranks);

}  // namespace stepgate
