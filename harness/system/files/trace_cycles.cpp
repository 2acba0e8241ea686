#include "system/files/trace_cycles.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace stepgate {

std::filesystem::path trace_file_of_cycle(const std::filesystem::path& first, std::int64_t cycle) {
  if (cycle == 0) return first;
  std::string name = first.filename().string();
  name.insert(std::min(name.find(".json"), name.size()), fmt::format("-{}", cycle + 1));
  return first.parent_path() / name;
}

}  // namespace stepgate
