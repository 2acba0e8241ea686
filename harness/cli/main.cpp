// The launcher's entry: one command, one catch.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <exception>
#include <string_view>

#include "cli/commands.h"
#include "cli/options.h"
#include "core/error.h"
#include "core/version.h"
#include "environment/guard/watchdog.h"

namespace stepgate {
namespace {

struct Entry {
  const char* name;
  int (*run)(const Options&);
};

constexpr std::array entries = {
    Entry{"list", command_list},
    Entry{"run", command_run},
    Entry{"check", command_check},
    Entry{"gate", command_gate},
    Entry{"ab", command_ab},
    Entry{"compare", command_compare},
    Entry{"report", command_report},
    Entry{"sweep", command_sweep},
    Entry{"doctor", command_doctor},
    Entry{"ablate", command_ablate},
    Entry{"recover", command_recover},
    Entry{"baseline accept", command_baseline_accept},
    Entry{"baseline diff", command_baseline_diff},
    Entry{"baseline lint", command_baseline_lint},
    Entry{"baseline show", command_baseline_show},
};

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
  for (const Entry& entry : entries) {
    if (options.command == entry.name) return entry.run(options);
  }
  return 2;
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
    fmt::print(stderr, "stepgate: {}\n  next: this should not happen; run again with --verbose and report it\n",
               error.what());
  }
  // A verdict that did not reach its reader is not a success: a full disk behind stdout shows here.
  if (std::fflush(stdout) != 0 && status == 0) {
    fmt::print(stderr, "stepgate: stdout could not be written\n  next: is the disk full? the files are in --out\n");
    status = 3;
  }
  return status;
}
