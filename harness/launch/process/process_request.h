// One child process to start.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "environment/process/process_knobs.h"
#include "environment/process/secret_mask.h"
#include "environment/process/variables.h"

namespace stepgate {

struct ProcessRequest {
  std::vector<std::string> command;  ///< argv; command[0] is a path, PATH is not searched
  Variables environment;             ///< all of it
  ProcessKnobRequest knobs;          ///< set between fork and exec; what is refused is in ProcessResult::knobs
  std::filesystem::path output;      ///< stdout and stderr, replaced; empty: dropped
  double timeout_s = 0;
  const std::atomic<int>* interrupted = nullptr;  ///< number of a signal; 0 or nullptr: none
  int inherited = -1;                             ///< descriptor that the program keeps under its number; -1: none
  int place = -1;                                 ///< descriptor that it keeps too (system/place_page.h); -1: none
  std::function<void(pid_t)> on_watch = {};       ///< called at the start and about five times a second
  std::function<void()> on_wait = {};             ///< called each time the wait wakes up, about 20 times a second
  SecretMask secrets = {};                        ///< hidden in what the process prints
};

}  // namespace stepgate
