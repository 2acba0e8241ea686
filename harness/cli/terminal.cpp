#include "cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "report/ci/junit_report.h"
#include "report/markdown/markdown_report.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

bool shows_progress(bool quiet) { return !quiet && isatty(STDERR_FILENO) != 0; }

std::string clock_text(double seconds) {
  const auto whole = std::lround(seconds);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

void print_progress(const ProcessProgress& progress) {
  const std::string left = progress.remaining_s ? clock_text(*progress.remaining_s) + " left" : "...";
  const std::string retry =
      progress.attempt > 0 ? fmt::format(" (repetition {} of a discarded process)", progress.attempt) : "";
  print_status_line(fmt::format("{}: process {} of {}, {} {}{}, {}", progress.case_name, progress.started + 1,
                                progress.planned, name_of(progress.group), progress.index, retry, left));
}

/// The formats of a report beside its verdict.json.
struct OtherFormat {
  const char* file;
  std::string (*render)(const RunReport& report);
};
constexpr OtherFormat other_formats[] = {
    {"junit.xml", [](const RunReport& report) { return render_junit(report, {}); }},
    {"summary.md", [](const RunReport& report) { return render_markdown(report, {}); }},
};

void write_other_formats(const std::filesystem::path& folder, const RunReport& report) {
  for (const OtherFormat& format : other_formats) write_derived_file(folder / format.file, format.render(report));
}

void remove_other_formats(const std::filesystem::path& folder) {
  for (const OtherFormat& format : other_formats) std::filesystem::remove(folder / format.file);
}

}  // namespace

Observer terminal_observer(bool quiet) {
  Observer observer;
  if (shows_progress(quiet)) observer.on_progress = print_progress;
  observer.on_notice = [quiet](const Notice& notice) {
    clear_progress_line(quiet);
    print_notice(stderr, notice);
  };
  observer.on_report = write_other_formats;
  observer.on_set_aside = remove_other_formats;
  return observer;
}

Caller terminal_caller(bool quiet, const RepeatedOptions& repeated, const Project& project) {
  return {.observer = terminal_observer(quiet),
          .commands = command_texts(repeated, project),
          .interrupted = watch_for_interrupts()};
}

void clear_progress_line(bool quiet) {
  if (shows_progress(quiet)) print_status_line("");
}

void print_notice(std::FILE* to, const Notice& notice) { print_message(to, notice.text, notice.next); }

}  // namespace stepgate
