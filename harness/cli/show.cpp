#include "cli/show.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "cli/output.h"
#include "cli/publish.h"
#include "cli/terminal.h"
#include "json/results/run_report_json.h"
#include "report/gate/ctest_report.h"
#include "report/gate/tally.h"

namespace stepgate {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool wants_color(const Options& options) {
  if (options.color != "auto") return options.color == "always";
  return isatty(STDOUT_FILENO) != 0 && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

bool is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string value = variable(name);
    if (!value.empty()) return value.find("UTF-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

}  // namespace

ConsoleStyle console_style(const Options& options) {
  ConsoleStyle style;
  style.color = wants_color(options);
  style.ascii = !is_utf8();
  style.verbose = options.verbose;
  struct winsize window {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0) style.width = window.ws_col;
  return style;
}

void show(const Options& options, const RunReport& report, const std::string& exit_sentence) {
  if (options.json) {
    print_json(to_text(report));
    return;
  }
  const CommandPause pause = command_pause(options);
  ConsoleStyle style = console_style(options);
  style.exit_sentence = exit_sentence;
  print_commands(stdout, pause.begin);
  print_page(stdout, render_console(report, style), style);
  print_commands(stdout, pause.end);
  if (!options.ctest) return;
  for (const Outcome& outcome : report.outcomes) print_commands(stdout, render_ctest_measurements(outcome));
}

int finish(const Options& options, const JudgedRun& result) {
  clear_progress_line(options);
  if (result.interrupted_by != 0) return 128 + result.interrupted_by;
  const int status = status_for_caller(options, result.report);
  show(options, result.report, exit_sentence(result.report, status));
  publish(options, result.report);
  return status;
}

int status_for_caller(const Options& options, const RunReport& report) {
  const int status = exit_status(report);
  const bool is_open = status == 4 || status == 5;
  const bool fails = options.require_baseline || has_changed_tree(report);
  return is_open && options.ctest && !fails ? 77 : status;
}

}  // namespace stepgate
