#include "cli/exit_error.h"

#include <fmt/format.h>

#include <filesystem>
#include <new>
#include <system_error>

#include "system/files/file_error.h"

namespace stepgate {

int status_of_error(ErrorKind kind) {
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

Error error_of(const std::exception& failure) {
  if (dynamic_cast<const std::bad_alloc*>(&failure) != nullptr) {
    return {ErrorKind::measure, "out of memory", "free some memory (free -m), or raise the limit (ulimit -v)"};
  }
  const auto* system = dynamic_cast<const std::system_error*>(&failure);
  if (system != nullptr && system->code() == std::errc::resource_unavailable_try_again) {
    return {ErrorKind::measure, fmt::format("cannot make a thread: {}", failure.what()),
            "raise the limit of processes: ulimit -u"};
  }
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&failure)) return file_error(*file);
  return {ErrorKind::measure, failure.what(), "report this message and the command as a defect of stepgate"};
}

}  // namespace stepgate
