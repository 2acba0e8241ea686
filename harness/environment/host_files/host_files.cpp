#include "environment/host_files/host_files.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "environment/host_files/pseudo_file.h"

namespace stepgate {
namespace fs = std::filesystem;

fs::path SystemFiles::below(const std::string& path) const { return sysroot_ / fs::path(path).relative_path(); }

std::optional<std::string> SystemFiles::read(const std::string& path) const { return read_pseudo_file(below(path)); }

std::vector<std::string> SystemFiles::names_in(const std::string& folder) const {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(below(folder), error), end; !error && entry != end; entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

int SystemFiles::write_refusal(const std::string& path) const {
  // Opening shows what access(2) does not: a read-only mount, a security module. Without O_TRUNC it changes nothing.
  const int descriptor = ::open(below(path).c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  ::close(descriptor);
  return 0;
}

int SystemFiles::write(const std::string& path, const std::string& text) {
  const int descriptor = ::open(below(path).c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const ssize_t put = ::write(descriptor, text.data(), text.size());
  const int error = put < 0 ? errno : 0;
  // Has no effect on the kernel's files. In plain ones it removes the rest of a longer value; after the write, since a
  // death between the two must not leave an empty value.
  if (error == 0) static_cast<void>(::ftruncate(descriptor, put) != 0);
  ::close(descriptor);
  if (error != 0) return error;
  return put == static_cast<ssize_t>(text.size()) ? 0 : EIO;
}

int SystemFiles::make_folder(const std::string& path) { return ::mkdir(below(path).c_str(), 0755) == 0 ? 0 : errno; }

int SystemFiles::remove_folder(const std::string& path) { return ::rmdir(below(path).c_str()) == 0 ? 0 : errno; }

int HostFiles::send_signal(int /*pid*/, int /*number*/) { return ENOSYS; }

int SystemFiles::send_signal(int pid, int number) {
  // A replaced root has no processes of this machine.
  if (sysroot_ != "/") return ESRCH;
  return ::kill(pid, number) == 0 ? 0 : errno;
}

}  // namespace stepgate
