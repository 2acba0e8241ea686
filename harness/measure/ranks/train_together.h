// A case that trains on several processes: this process starts them and merges their records into one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/ranks/rank_processes.h"

namespace stepgate {

struct TogetherRequest {
  std::filesystem::path program;       ///< "/proc/self/exe": the ranks run what this process runs
  std::vector<std::string> arguments;  ///< arguments of this process; its record is replaced for each rank
  std::filesystem::path record;        ///< where the merged record goes
  std::int64_t ranks = 1;
  int places = -1;  ///< descriptor that the ranks keep, in which they note where they are (system/place_page.h)
  std::vector<std::string> variables = {};  ///< "NAME=value" that the ranks get on top of this process's environment
  std::function<void(std::int64_t rank, std::string_view line)> on_line;
};

/// Starts "--stepgate_rank=R --stepgate_rendezvous=FOLDER" for each rank, on its share of the CPUs that this process
/// may use, with a fresh folder next to the record. The folder is removed at the end, also after a failure. The
/// record is written where all ranks succeeded. Throws Error(measure) where their records do not fit together, or where
/// files, processes or sockets cannot be made.
RanksEnd train_together(const TogetherRequest& request);

}  // namespace stepgate
