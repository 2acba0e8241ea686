#include "system/command_output.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "system/descriptor.h"
#include "system/start_process.h"

namespace stepgate {

std::string command_output(const std::vector<std::string>& command) {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return "";
  const Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);
  const Descriptor nothing(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  ProcessStart start{.command = {"/usr/bin/env"},
                     .descriptors = {{write_end.number(), STDOUT_FILENO}, {nothing.number(), STDERR_FILENO}}};
  start.command.insert(start.command.end(), command.begin(), command.end());
  const StartedProcess started = start_process(start);
  if (started.failure) return "";
  write_end.close();
  std::string text;
  std::array<char, 4096> block{};
  ssize_t got = 0;
  while ((got = ::read(read_end.number(), block.data(), block.size())) > 0 || (got < 0 && errno == EINTR)) {
    if (got > 0) text.append(block.data(), static_cast<std::size_t>(got));
  }
  while (::waitpid(started.pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return text;
}

}  // namespace stepgate
