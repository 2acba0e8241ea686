// The entry of the launcher: runs one command, and prints what stopped it.
#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <string_view>

#include "cli/exit_error.h"
#include "cli/options/help_text.h"
#include "cli/options/parse_options.h"
#include "cli/output.h"
#include "cli/study_parts.h"
#include "core/error.h"
#include "core/interruption.h"
#include "core/text/excerpt.h"
#include "core/version.h"
#include "environment/guard/run_lock.h"
#include "environment/guard/watchdog.h"
#include "system/standard_streams.h"

namespace stepgate {
namespace {

int dispatch(const CommandLine& line) {
  if (line.general.version) {
    print_line(stdout, "stepgate {}", version);
    return 0;
  }
  if (line.general.help || !line.call) {
    print_text(line.general.help ? stdout : stderr, help_text(line.command));
    return line.general.help ? 0 : 2;
  }
  return line.call->run();
}

CommandLine read_words(int argc, char** argv) {
  try {
    return parse_options(argc, argv);
  } catch (const Error&) {
    leave_mistake_to_studies();
    throw;
  }
}

/// The end of a long message says least, so it is cut off.
constexpr std::size_t most_error_characters = 4000;

int report(const Error& error) {
  print_message(stderr, excerpt(error.what(), most_error_characters), excerpt(error.remedy(), most_error_characters));
  return status_of_error(error.kind());
}

int report(const Interruption& interruption) {
  print_message(stderr, interruption.what(), "");
  return 128 + interruption.signal();
}

/// A verdict that could not be written is not a success.
int with_stdout_written(int status) {
  const int error = finish_output();
  if (error == 0) return status;
  const int failed =
      report({ErrorKind::measure, fmt::format("cannot write to stdout: {}", std::strerror(error)),
              "check whether the disk is full or its reader has ended; results are in the folder of --out"});
  return status == 0 ? failed : status;
}

}  // namespace
}  // namespace stepgate

int main(int argc, char** argv) {
  stepgate::settle_standard_streams();
  if (argc == 3 && std::string_view(argv[1]) == stepgate::watchdog_word) return stepgate::watch(argv[2]);
  try {
    return stepgate::with_stdout_written(stepgate::dispatch(stepgate::read_words(argc, argv)));
  } catch (const stepgate::Error& error) {
    return stepgate::with_stdout_written(stepgate::report(error));
  } catch (const stepgate::Interruption& interruption) {
    return stepgate::with_stdout_written(stepgate::report(interruption));
  } catch (const std::exception& failure) {
    return stepgate::with_stdout_written(stepgate::report(stepgate::error_of(failure)));
  }
}
