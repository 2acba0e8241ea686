// The entry of the launcher: runs one command, and prints what stopped it.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string_view>

#include "cli/command_table.h"
#include "cli/help_text.h"
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
    fmt::print("stepgate {}\n", version);
    return 0;
  }
  if (options.help || options.command.empty()) {
    fmt::print(options.help ? stdout : stderr, "{}", help_text(options.command));
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
    fmt::print(stderr, "stepgate: {}\n", error.what());
    if (!error.remedy().empty()) fmt::print(stderr, "  next: {}\n", error.remedy());
    status = stepgate::status_of(error.kind());
  } catch (const std::exception& error) {
    fmt::print(stderr, "stepgate: {}\n  next: report this message and the command as a defect of stepgate\n",
               error.what());
  }
  // A verdict that could not be written is not a success, e.g. where stdout is a file on a full disk.
  if (std::fflush(stdout) != 0 && status == 0) {
    fmt::print(stderr,
               "stepgate: cannot write to stdout\n  next: check whether the disk is full; the results are in the "
               "folder of --out\n");
    status = 3;
  }
  return status;
}
