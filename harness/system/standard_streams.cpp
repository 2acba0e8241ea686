#include "system/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace stepgate {
namespace {

/// Opens the lowest free number, so call it with ascending numbers.
void open_if_closed(int number, int flags) {
  if (::fcntl(number, F_GETFD) >= 0 || errno != EBADF) return;
  const int opened = ::open("/dev/null", flags);
  if (opened == number || opened < 0) return;
  ::dup2(opened, number);
  ::close(opened);
}

}  // namespace

void settle_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  open_if_closed(STDIN_FILENO, O_RDONLY);
  open_if_closed(STDOUT_FILENO, O_RDONLY);
  open_if_closed(STDERR_FILENO, O_WRONLY);
}

}  // namespace stepgate
