#include "system/command_output.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <thread>

#include "system/descriptor.h"
#include "system/elapsed.h"
#include "system/start_process.h"

namespace stepgate {

namespace {

using Clock = std::chrono::steady_clock;

/// How often its end is looked for.
constexpr int command_poll_ms = 10;

/// Reads until the pipe ends. Something that the command started may keep the pipe open for ever, so the end of the
/// command is the end too, once the pipe is empty.
std::string read_until_end(const Descriptor& pipe, pid_t pid, const CommandInput& limits) {
  std::string text;
  std::array<char, 4096> block{};
  bool has_ended = false;
  for (const auto start = Clock::now(); text.size() < limits.most_bytes;) {
    pollfd ready{.fd = pipe.number(), .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, has_ended ? 0 : command_poll_ms) > 0) {
      const ssize_t got = ::read(pipe.number(), block.data(), block.size());
      if (got == 0) break;
      if (got > 0) text.append(block.data(), static_cast<std::size_t>(got));
      continue;
    }
    if (has_ended || seconds_since(start) > limits.patience_s) break;
    siginfo_t info{};
    has_ended = ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
  }
  return text;
}

/// One that has closed its output ends soon, or never.
void end_command(pid_t pid) {
  const auto start = Clock::now();
  while (::waitpid(pid, nullptr, WNOHANG) == 0) {
    if (seconds_since(start) > 1) ::kill(pid, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// A file in memory, so that a command that reads nothing cannot block its writer.
Descriptor file_with(const std::string& text) {
  Descriptor file(::memfd_create("input", MFD_CLOEXEC));
  if (!file.is_open() || write_whole(file, text) != 0 || ::lseek(file.number(), 0, SEEK_SET) != 0) return Descriptor();
  return file;
}

}  // namespace

std::string command_output(const std::vector<std::string>& command) { return command_output(command, CommandInput{}); }

std::string command_output(const std::vector<std::string>& command, const CommandInput& input) {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return "";
  const Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);
  const Descriptor nothing(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  ProcessStart start{.command = {"/usr/bin/env"},
                     .descriptors = {{write_end.number(), STDOUT_FILENO}, {nothing.number(), STDERR_FILENO}}};
  const Descriptor text_file = input.text ? file_with(*input.text) : Descriptor();
  if (input.text && !text_file.is_open()) return "";
  if (input.text) start.descriptors.push_back({text_file.number(), STDIN_FILENO});
  start.command.insert(start.command.end(), command.begin(), command.end());
  const StartedProcess started = start_process(start);
  if (started.failure) return "";
  write_end.close();
  std::string printed = read_until_end(read_end, started.pid, input);
  end_command(started.pid);
  return printed;
}

}  // namespace stepgate
