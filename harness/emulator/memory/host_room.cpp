#include "emulator/memory/host_room.h"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace stepgate::emulator {
namespace {

std::string file_text(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Bytes of a line such as "MemTotal:       16316412 kB".
std::uint64_t bytes_of_line(const std::string& text, const std::string& key) {
  const std::size_t at = text.find(key);
  if (at == std::string::npos) return 0;
  std::istringstream rest(text.substr(at + key.size()));
  std::uint64_t kibibytes = 0;
  rest >> kibibytes;
  return kibibytes * 1024;
}

/// The limits of the control group of version 2 that the process is in and of those around it: the lowest counts.
std::optional<std::uint64_t> group_limit(const std::string& root) {
  const std::string groups = file_text(root + "/proc/self/cgroup");
  const std::size_t at = groups.find("0::");
  if (at == std::string::npos) return std::nullopt;
  std::string place = groups.substr(at + 3, groups.find('\n', at) - at - 3);
  std::optional<std::uint64_t> lowest;
  while (true) {
    std::istringstream text(file_text(root + "/sys/fs/cgroup" + place + "/memory.max"));
    if (std::uint64_t bytes = 0; text >> bytes) lowest = std::min(lowest.value_or(bytes), bytes);
    if (place.empty() || place == "/") return lowest;
    place.erase(place.rfind('/'));
  }
}

std::string in_gib(std::uint64_t bytes) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f GiB", static_cast<double>(bytes) / static_cast<double>(1ULL << 30U));
  return text.data();
}

}  // namespace

HostRoom read_host_room(const std::string& root) {
  HostRoom room;
  const std::string memory = file_text(root + "/proc/meminfo");
  room.memory_bytes = bytes_of_line(memory, "MemTotal:");
  room.limit_bytes = group_limit(root);
  std::istringstream(file_text(root + "/proc/sys/vm/overcommit_memory")) >> room.overcommit;
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) room.address_limit_bytes = limit.rlim_cur;
  return room;
}

std::string lack_of_room(const MachineOptions& options, const HostRoom& room) {
  const std::uint64_t device_bytes = options.memory_bytes.value_or(options.model->memory_bytes);
  const std::uint64_t all_bytes = device_bytes * static_cast<std::uint64_t>(options.devices);
  constexpr int strict = 2;
  if (room.overcommit == strict) {
    return "the emulated devices take " + in_gib(all_bytes) +
           " of address space, and this host counts address space as memory (vm.overcommit_memory is 2): set it to 0 "
           "or 1, or give the devices less with memory_mib=";
  }
  if (room.address_limit_bytes && *room.address_limit_bytes < all_bytes) {
    return "the emulated devices take " + in_gib(all_bytes) + " of address space, and a process may have " +
           in_gib(*room.address_limit_bytes) +
           " (ulimit -v): raise the limit, or give the devices less with memory_mib=";
  }
  return "";
}

std::string lack_of_memory(const HostRoom& room, std::uint64_t held_bytes) {
  if (room.memory_bytes == 0) return "";  // the host does not say how much it has
  const std::uint64_t usable_bytes = std::min(room.limit_bytes.value_or(room.memory_bytes), room.memory_bytes);
  if (held_bytes <= usable_bytes / 2) return "";
  return "a program with values holds " + in_gib(held_bytes) + ", more than half of the " + in_gib(usable_bytes) +
         (room.limit_bytes ? " that the control group allows" : " of this host") +
         ": take a smaller case, or counts (mode=counts)";
}

}  // namespace stepgate::emulator
