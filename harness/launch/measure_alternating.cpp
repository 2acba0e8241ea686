#include "launch/measure_alternating.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <thread>

#include "core/error.h"
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

}  // namespace

MeasuredAlternating measure_alternating(const LaunchRequest& first, const LaunchRequest& second,
                                        const std::atomic<int>* interrupted) {
  const Wire wire = make_wire();
  say(wire.second, 't');  // the first process begins
  MeasuredAlternating measured;
  std::exception_ptr failed;
  // Its process dies with the thread that started it (PR_SET_PDEATHSIG), so the thread outlives the process.
  std::thread other([&] {
    try {
      measured.second = measure_case(alternating_windows(second, wire.second), {{}, interrupted});
    } catch (...) {
      failed = std::current_exception();
    }
    say(wire.second, 'e');
  });
  try {
    measured.first = measure_case(alternating_windows(first, wire.first), {{}, interrupted});
  } catch (...) {
    if (!failed) failed = std::current_exception();
  }
  say(wire.first, 'e');
  other.join();
  if (failed) std::rethrow_exception(failed);
  return measured;
}

}  // namespace stepgate
