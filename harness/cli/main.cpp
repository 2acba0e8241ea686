// The entry of the launcher: runs one command, and prints what stopped it.
#include <cstdio>
#include <exception>
#include <string_view>

#include "cli/command_table.h"
#include "cli/help_text.h"
#include "cli/output.h"
#include "cli/parse_options.h"
#include "core/error.h"
#include "core/version.h"
#include "environment/guard/watchdog.h"

namespace stepgate {
namespace {

int status_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return 2;
    case ErrorKind::measure:
      return 3;
    case ErrorKind::baseline:
      return 5;
  }
  return 3;
}

int dispatch(const Options& options) {
  if (options.version) {
    print_line(stdout, "stepgate {}", version);
    return 0;
  }
  if (options.help || options.command.empty()) {
    print_text(options.help ? stdout : stderr, help_text(options.command));
    return options.help ? 0 : 2;
  }
  return find_command(options.command)->run(options);
}

}  // namespace
}  // namespace stepgate

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == stepgate::watchdog_word) return stepgate::watch(argv[2]);
  int status = 3;
  try {
    status = stepgate::dispatch(stepgate::parse_options(argc, argv));
  } catch (const stepgate::Error& error) {
    stepgate::print_message(stderr, error.what(), error.remedy());
    status = stepgate::status_of(error.kind());
  } catch (const std::exception& error) {
    stepgate::print_message(stderr, error.what(), "report this message and the command as a defect of stepgate");
  }
  // A verdict that could not be written is not a success, e.g. where stdout is a file on a full disk.
  if (!stepgate::finish_output() && status == 0) {
    stepgate::print_message(stderr, "cannot write to stdout",
                            "check whether the disk is full; the results are in the folder of --out");
    status = 3;
  }
  return status;
}
