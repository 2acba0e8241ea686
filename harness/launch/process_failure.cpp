#include "launch/process_failure.h"

#include <fmt/format.h>

#include <csignal>

namespace stepgate {
namespace {

std::string crashed(const ProcessResult& result) {
  std::string text =
      fmt::format("killed by signal {} ({}) after {:.1f} s", result.code, signal_name(result.code), result.wall_s);
  if (result.code == SIGKILL) text += ", perhaps because memory ran out: see dmesg";
  if (result.code == SIGXFSZ) text += ", since it wrote a file beyond the limit of sizes: ulimit -f unlimited";
  if (result.code == SIGILL) text += ", perhaps built for a newer CPU than this one";
  return text;
}

std::string timed_out(const ProcessResult& result, double limit_s) {
  return fmt::format("still running after its limit of {:g} s, stopped{}", limit_s,
                     result.killed ? " with SIGKILL, since it ignored SIGTERM" : "");
}

std::string exited(const ProcessResult& result) {
  std::string text = fmt::format("ended with status {} after {:.1f} s", result.code, result.wall_s);
  if (result.code == missing_here_status) text += ": a device or data that it needs is missing here";
  return text;
}

}  // namespace

std::string signal_name(int number) {
  const char* name = ::sigabbrev_np(number);
  return name == nullptr ? std::to_string(number) : fmt::format("SIG{}", name);
}

std::optional<ReplicateFailure> process_failure(const ProcessResult& result, const ProcessRequest& request) {
  switch (result.end) {
    case ProcessEnd::not_started:
      return ReplicateFailure{FailureKind::not_started, text_of(result.start_failure.value()), ""};
    case ProcessEnd::signalled:
      return ReplicateFailure{FailureKind::crashed, crashed(result), ""};
    case ProcessEnd::timed_out:
      return ReplicateFailure{FailureKind::timed_out, timed_out(result, request.timeout_s), ""};
    case ProcessEnd::interrupted:
      return ReplicateFailure{
          FailureKind::interrupted,
          fmt::format("stopped after {:.1f} s by {}", result.wall_s, signal_name(request.interrupted->load())), ""};
    case ProcessEnd::exited:
      break;
  }
  if (result.code == 0) return std::nullopt;
  const bool missing = result.code == missing_here_status;
  return ReplicateFailure{missing ? FailureKind::unavailable : FailureKind::exited_nonzero, exited(result), ""};
}

}  // namespace stepgate
