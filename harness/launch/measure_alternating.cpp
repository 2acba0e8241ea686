#include "launch/measure_alternating.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <exception>
#include <functional>
#include <map>
#include <thread>

#include "core/error.h"
#include "launch/process/left_behind.h"
#include "system/descriptor.h"

namespace stepgate {
namespace {

/// Both numbers are on the command line. Three digits each keep the two stacks at the same address.
constexpr int lowest_number = 100;

struct Wire {
  Descriptor first;
  Descriptor second;
};

Descriptor moved_up(int number) {
  Descriptor low(number);
  return Descriptor(::fcntl(low.number(), F_DUPFD_CLOEXEC, lowest_number));
}

Wire make_wire() {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) {
    Wire wire{moved_up(ends[0]), moved_up(ends[1])};
    if (wire.first.is_open() && wire.second.is_open()) return wire;
  }
  throw Error(ErrorKind::measure, fmt::format("cannot make a socket pair: {}", std::strerror(errno)),
              "raise the limit of open files: ulimit -n");
}

LaunchRequest alternating_windows(LaunchRequest request, const Descriptor& end) {
  request.groups = {Group::timed};
  request.plan.timed_replicates = 1;
  request.plan.max_retries = 0;
  request.plan.timeout_s *= 2;
  request.turn_socket = end.number();
  return request;
}

void say(const Descriptor& end, char word) { static_cast<void>(::send(end.number(), &word, 1, MSG_NOSIGNAL) < 0); }

/// The measured CPUs.
CpuList cpus_of(const Measurement& measurement) {
  const auto affinity = measurement.host.find("affinity");
  return affinity == measurement.host.end() ? CpuList{} : cpu_list_from_text(affinity->second).value_or(CpuList{});
}

/// What they left behind worked through the windows of both, and nobody can tell any more whose it was: both get the
/// same value.
void add_left_behind(double cpu_s, MeasuredAlternating& measured) {
  double wall_s = 0;
  const auto each = [&](const std::function<void(std::map<EvidenceKey, double>&)>& act) {
    for (Measurement* side : {&measured.first, &measured.second}) {
      for (Replicate& replicate : side->replicates) act(replicate.evidence.values);
    }
  };
  each([&](auto& values) {
    if (const auto found = values.find(EvidenceKey::wall_s); found != values.end()) {
      wall_s = std::max(wall_s, found->second);
    }
  });
  if (cpu_s <= 0 || wall_s <= 0) return;
  each([&](auto& values) {
    double& fraction = values[EvidenceKey::waiting_cpu_fraction];
    fraction = std::max(fraction, cpu_s / wall_s);
  });
}

/// Both sides ran at the same time, so the other processes were the same for both.
void tell_discarded(const MeasuredAlternating& measured, const DisturbanceWatch& watch,
                    const LaunchCallbacks& callbacks) {
  if (!callbacks.on_discarded) return;
  for (const Measurement* side : {&measured.first, &measured.second}) {
    for (const Replicate& replicate : side->replicates) {
      if (replicate.taint_reasons.empty()) continue;
      callbacks.on_discarded({.case_name = side->case_name,
                              .group = replicate.group,
                              .index = replicate.index,
                              .attempt = replicate.attempt,
                              .ended_unix_s = std::time(nullptr),
                              .reasons = replicate.taint_reasons,
                              .busiest = watch.busiest(cpus_of(*side))});
    }
  }
}

}  // namespace

MeasuredAlternating measure_alternating(const LaunchRequest& first, const LaunchRequest& second,
                                        const LaunchCallbacks& callbacks) {
  const LeftBehind left_behind;
  const Wire wire = make_wire();
  const DisturbanceWatch watch(static_cast<bool>(callbacks.on_discarded));
  say(wire.second, 't');  // the first process begins
  MeasuredAlternating measured;
  std::exception_ptr failed;
  // Its process dies with the thread that started it (PR_SET_PDEATHSIG), so the thread outlives the process.
  std::thread other([&] {
    try {
      measured.second = measure_case(alternating_windows(second, wire.second), {{}, callbacks.interrupted});
    } catch (...) {
      failed = std::current_exception();
    }
    say(wire.second, 'e');
  });
  try {
    measured.first = measure_case(alternating_windows(first, wire.first), {{}, callbacks.interrupted});
  } catch (...) {
    if (!failed) failed = std::current_exception();
  }
  say(wire.first, 'e');
  other.join();
  const EndedLeftBehind ended = left_behind.end_all();  // only now: nobody can tell whose while the other process runs
  add_left_behind(ended.cpu_s, measured);
  if (failed) std::rethrow_exception(failed);
  tell_discarded(measured, watch, callbacks);
  return measured;
}

}  // namespace stepgate
