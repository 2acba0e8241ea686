#include "core/host/busy_process.h"

#include <cmath>

namespace stepgate {

std::string text_of(const BusyProcess& process) {
  return process.name + " (pid " + std::to_string(process.pid) +
         "): " + std::to_string(std::lround(100 * process.cpu_fraction)) + " % of a CPU, last on CPU " +
         std::to_string(process.cpu);
}

}  // namespace stepgate
