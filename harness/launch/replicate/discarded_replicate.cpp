#include "launch/replicate/discarded_replicate.h"

#include <unistd.h>

#include <chrono>
#include <utility>

namespace stepgate {
namespace {

double steady_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

DisturbanceWatch::DisturbanceWatch(bool wanted) : wanted_(wanted) {
  if (!wanted_) return;
  before_ = read_process_times("/");
  start_s_ = steady_s();
}

std::vector<BusyProcess> DisturbanceWatch::busiest(CpuList cpus) const {
  if (!wanted_) return {};
  const BusyTime time{.wall_s = steady_s() - start_s_, .ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK))};
  return busiest_processes(before_, read_process_times("/"), time, {.cpus = std::move(cpus), .self = ::getpid()});
}

}  // namespace stepgate
