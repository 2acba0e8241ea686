#include "emulator/nvml/nvml_users.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "emulator/process/process_row.h"

namespace stepgate::emulator {
namespace {

/// "stepgate-emulated-gpu.1000.0.": of this user and device; the number of the process follows.
std::string name_begin(int place) {
  return "stepgate-emulated-gpu." + std::to_string(::getuid()) + "." + std::to_string(place) + ".";
}

/// 0 where there is no such process.
pid_t parent_of(pid_t process) {
  const std::optional<ProcessRow> row = process_row(process);
  return row ? row->parent : 0;
}

bool belongs_to(pid_t process, pid_t asker) {
  const pid_t parent = parent_of(process);
  if (parent == 0) return false;
  if (process == asker || (parent > 1 && parent == parent_of(asker))) return true;
  for (pid_t above = parent; above > 1; above = parent_of(above)) {
    if (above == asker) return true;
  }
  return false;
}

/// The number at the end of a line of /proc/net/unix that ends with "@<begin>4242"; 0 where it does not.
pid_t process_in_line(std::string_view line, const std::string& begin) {
  const std::size_t at = line.find("@" + begin);
  if (at == std::string_view::npos) return 0;
  const std::string_view number = line.substr(at + 1 + begin.size());
  pid_t process = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), process);
  return error == std::errc() && process > 0 ? process : 0;
}

}  // namespace

NvmlPresence::NvmlPresence(int place) {
  const std::string name = name_begin(place) + std::to_string(::getpid());
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // The first byte stays 0: a name in the abstract namespace.
  if (name.size() + 1 > sizeof(address.sun_path)) return;
  std::copy(name.begin(), name.end(), address.sun_path + 1);
  socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0) return;
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (::bind(socket_, reinterpret_cast<const sockaddr*>(&address), length) == 0) return;
  ::close(socket_);
  socket_ = -1;
}

NvmlPresence::~NvmlPresence() {
  if (socket_ >= 0) ::close(socket_);
}

std::vector<pid_t> pids_on_device(int place, pid_t asker) {
  const std::string begin = name_begin(place);
  std::vector<pid_t> found;
  std::ifstream sockets("/proc/net/unix");
  for (std::string line; std::getline(sockets, line);) {
    const pid_t process = process_in_line(line, begin);
    if (process != 0 && belongs_to(process, asker)) found.push_back(process);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace stepgate::emulator
