#include "measure/device/cpu/captured_stdout.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "core/error.h"

namespace stepgate {
namespace {

constexpr int no_descriptor = -1;

}  // namespace

CapturedStdout::CapturedStdout() : before_(dup(STDOUT_FILENO)), memory_(memfd_create("stepgate-stdout", MFD_CLOEXEC)) {
  std::fflush(stdout);
  if (!before_.is_open() || !memory_.is_open() || dup2(memory_.number(), STDOUT_FILENO) == no_descriptor) {
    throw Error(ErrorKind::measure, "stdout cannot be captured: the process has no descriptor left",
                "raise the limit of open files (ulimit -n)");
  }
}

CapturedStdout::~CapturedStdout() {
  std::fflush(stdout);
  dup2(before_.number(), STDOUT_FILENO);
}

std::string CapturedStdout::take() {
  std::fflush(stdout);
  std::string printed;
  std::array<char, 1 << 16> part{};
  while (true) {
    const ssize_t size = pread(memory_.number(), part.data(), part.size(), static_cast<off_t>(printed.size()));
    if (size <= 0) break;
    printed.append(part.data(), static_cast<std::size_t>(size));
  }
  // The descriptors share one position.
  if (ftruncate(memory_.number(), 0) == 0) lseek(memory_.number(), 0, SEEK_SET);
  return printed;
}

void CapturedStdout::pass_on(const std::string& text) const { write_whole(before_, text); }

}  // namespace stepgate
