#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace stepgate {
namespace {

bool shows_progress(const Options& options) { return !options.quiet && isatty(STDERR_FILENO) != 0; }

std::string clock_text(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

std::function<void(const LaunchProgress&)> progress_line(const Options& options) {
  if (!shows_progress(options)) return {};
  return [](const LaunchProgress& progress) {
    const std::string left = progress.remaining_s ? clock_text(*progress.remaining_s) + " left" : "...";
    const std::string retry = progress.attempt > 0 ? fmt::format(" (repeated after taint: {})", progress.attempt) : "";
    fmt::print(stderr, "\r\033[K{}: process {} of {}, {} {}{}, {}", progress.case_name, progress.started + 1,
               progress.planned, name_of(progress.group), progress.index, retry, left);
    std::fflush(stderr);
  };
}

std::function<void(const LaunchProgress&)> progress_line(const Options& options, const ProcessesSoFar& so_far) {
  const auto line = progress_line(options);
  if (!line) return {};
  return [line, so_far](LaunchProgress progress) {
    progress.started = so_far.done;
    progress.planned = so_far.planned;
    progress.elapsed_s = so_far.elapsed_s;
    progress.remaining_s.reset();
    line(progress);
  };
}

void clear_progress_line(const Options& options) {
  if (shows_progress(options)) fmt::print(stderr, "\r\033[K");
}

}  // namespace stepgate
