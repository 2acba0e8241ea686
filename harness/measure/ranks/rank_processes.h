// The processes of a case that trains on several at once: started, their output passed on, none left behind. The
// process that does this runs no step itself and sleeps while they run, so a rank that crashes takes nothing along.
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
  /// into which a rank that fails writes its number and a line end before it exits. Whose number is first failed first,
  /// however late this process looks.
  std::vector<std::vector<std::string>> commands;
  std::vector<std::vector<int>> cpus;  ///< of each rank, set before its program starts; empty: those of this process
  /// Gets each line that a rank writes on stdout or stderr, without its end.
  std::function<void(std::int64_t rank, std::string_view line)> on_line;
  /// From the first rank's failure until the others are killed. They mostly fail at once, because their peer is gone,
  /// and may say something useful; one that hangs never will.
  std::chrono::milliseconds grace{2000};
};

/// The rank that failed first: what the others ran into after that is a consequence. A crash goes before all.
struct RankFailure {
  std::int64_t rank = 0;
  int status = 0;  ///< exit status; 0 where a signal ended it
  int signal = 0;
  std::vector<std::int64_t> stopped;  ///< ranks that still ran after the grace, and were killed
};

struct RanksEnd {
  std::optional<RankFailure> failure;  ///< absent where all ranks ended with status 0
  int interrupted_by = 0;              ///< signal that this process got meanwhile: all ranks were killed
};

/// Starts all ranks and waits for all of them. They die with this process, too (PR_SET_PDEATHSIG), so call it from the
/// main thread. SIGTERM, SIGINT and SIGHUP end the ranks first and are then reported, not taken.
/// Throws Error(measure) where processes or sockets cannot be made, or a rank's program cannot run.
RanksEnd run_ranks(const RankProcesses& request);

/// "rank 1 of 2 was killed by signal 11 (SIGSEGV); still running and stopped: 0".
std::string text_of(const RankFailure& failure, std::int64_t ranks);

}  // namespace stepgate
