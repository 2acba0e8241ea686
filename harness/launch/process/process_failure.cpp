#include "launch/process/process_failure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>

namespace stepgate {
namespace {

/// " in pass counts, boundary forward, step 3"; of several ranks each in parentheses; "" where nothing is known.
std::string place_clause(const std::vector<ProcessPlace>& places) {
  std::vector<std::string> known;
  std::string only;
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    const std::string place = text_of(places[rank]);
    if (place.empty()) continue;
    only = place;
    known.push_back(fmt::format("rank {} {}", rank, place));
  }
  if (known.empty()) return "";
  return known.size() == 1 ? " " + only : fmt::format(" ({})", fmt::join(known, "; "));
}

std::string crashed(const ProcessResult& result, const std::string& place) {
  std::string text = fmt::format("killed by signal {} ({}) after {:.1f} s{}", result.code, signal_name(result.code),
                                 result.wall_s, place);
  if (result.code == SIGKILL) text += ", perhaps because memory ran out: see dmesg";
  if (result.code == SIGXFSZ) text += ", since it wrote a file beyond the limit of sizes: ulimit -f unlimited";
  if (result.code == SIGILL) text += ", perhaps built for a newer CPU than this one";
  return text;
}

std::string timed_out(const ProcessResult& result, double limit_s, const std::string& place) {
  return fmt::format("still running after its limit of {:g} s{}, stopped{}", limit_s, place,
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

std::optional<ReplicateFailure> process_failure(const ProcessResult& result, const ProcessRequest& request,
                                                const std::vector<ProcessPlace>& places) {
  switch (result.end) {
    case ProcessEnd::not_started:
      return ReplicateFailure{FailureKind::not_started, text_of(result.start_failure.value()), ""};
    case ProcessEnd::signalled:
      return ReplicateFailure{FailureKind::crashed, crashed(result, place_clause(places)), ""};
    case ProcessEnd::timed_out:
      return ReplicateFailure{FailureKind::timed_out, timed_out(result, request.timeout_s, place_clause(places)), ""};
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
