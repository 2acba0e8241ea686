#include "measure/memory/host_peak.h"

#include <fstream>
#include <sstream>
#include <string>

namespace stepgate {

std::optional<std::int64_t> host_peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    std::istringstream words(line);
    std::string key;
    std::int64_t kib = 0;
    if (words >> key >> kib && key == "VmHWM:") return kib * 1024;
  }
  return std::nullopt;
}

}  // namespace stepgate
