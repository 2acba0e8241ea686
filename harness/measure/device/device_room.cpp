#include "measure/device/device_room.h"

#include <fmt/format.h>

namespace stepgate {
namespace {

/// What CUDA's context and its libraries take themselves. An assumption: it was not measured on a device yet.
constexpr std::int64_t context_bytes = std::int64_t{512} << 20;

/// One digit after the point: an estimate has no more.
std::string gib_text(std::int64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / static_cast<double>(std::int64_t{1} << 30));
}

}  // namespace

std::optional<NoRoom> no_room_for(std::int64_t needed_bytes, const DeviceCapacity& memory) {
  if (needed_bytes <= memory.free_bytes) return std::nullopt;
  const std::string needs = fmt::format("needs about {} of GPU memory, ", gib_text(needed_bytes));
  if (needed_bytes > memory.total_bytes - context_bytes) {
    return NoRoom{fmt::format("{}and this GPU has {}", needs, gib_text(memory.total_bytes)),
                  "measure on a GPU with more memory, choose a smaller variant, or a smaller parameter: stepgate sweep "
                  "CASE --vary NAME=VALUE, or --stepgate_param=NAME=VALUE of the perftest program",
                  true};
  }
  return NoRoom{
      fmt::format("{}and {} of {} are free", needs, gib_text(memory.free_bytes), gib_text(memory.total_bytes)),
      "end the processes that hold the rest (nvidia-smi lists them)"};
}

}  // namespace stepgate
