#include "environment/host_files/host_files.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "system/descriptor.h"
#include "system/files/pseudo_file.h"

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
  const std::string real = below(path);
  const Descriptor file(uninterrupted([&] { return ::open(real.c_str(), O_WRONLY | O_CLOEXEC); }));
  return file.is_open() ? 0 : errno;
}

int SystemFiles::write(const std::string& path, const std::string& text) {
  const std::string real = below(path);
  const Descriptor file(
      uninterrupted([&] { return ::open(real.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); }));
  if (!file.is_open()) return errno;
  if (!is_kernel_file(file)) return EPERM;
  const ssize_t put = uninterrupted([&] { return ::write(file.number(), text.data(), text.size()); });
  if (put < 0) return errno;
  // Has no effect on the kernel's files. In plain ones it removes the rest of a longer value; after the write, since a
  // death between the two must not leave an empty value.
  static_cast<void>(::ftruncate(file.number(), put) != 0);
  return put == static_cast<ssize_t>(text.size()) ? 0 : EIO;
}

bool SystemFiles::is_kernels(const fs::path& real) const {
  std::error_code failed;
  const fs::path root = fs::canonical(sysroot_, failed);
  const std::string inside = failed ? "" : "/" + real.lexically_relative(root).string() + "/";
  return inside.starts_with("/sys/") || inside.starts_with("/proc/");
}

/// Links like /proc/PID/root lead out of /proc.
bool SystemFiles::is_kernel_file(const Descriptor& file) const {
  std::error_code failed;
  const fs::path real = fs::read_symlink("/proc/self/fd/" + std::to_string(file.number()), failed);
  return !failed && is_kernels(real);
}

bool SystemFiles::is_in_kernel_folder(const std::string& path) const {
  std::error_code failed;
  const fs::path real = fs::canonical(below(path).parent_path(), failed);
  return !failed && is_kernels(real);
}

int SystemFiles::make_folder(const std::string& path) {
  if (!is_in_kernel_folder(path)) return EPERM;
  return ::mkdir(below(path).c_str(), 0755) == 0 ? 0 : errno;
}

int SystemFiles::remove_folder(const std::string& path) {
  std::error_code failed;
  if (!fs::exists(below(path), failed)) return ENOENT;
  if (!is_in_kernel_folder(path)) return EPERM;
  return ::rmdir(below(path).c_str()) == 0 ? 0 : errno;
}

int HostFiles::send_signal(int /*pid*/, int /*number*/) { return ENOSYS; }

int SystemFiles::send_signal(int pid, int number) {
  // A replaced root has no processes of this machine.
  if (sysroot_ != "/") return ESRCH;
  return ::kill(pid, number) == 0 ? 0 : errno;
}

}  // namespace stepgate
