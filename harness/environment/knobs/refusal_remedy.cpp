#include "environment/knobs/refusal_remedy.h"

#include <fmt/format.h>

#include <cerrno>
#include <string_view>

#include "environment/facts/find_host_kind.h"
#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

/// Tells by the effective user. A status that cannot be read counts as a user without privileges, the more frequent
/// case.
bool is_root(const HostFiles& files) {
  const auto status = files.read("/proc/self/status");
  const auto users = status ? value_after(*status, "Uid") : std::nullopt;
  if (!users) return false;
  const auto words = words_of(*users);
  return words.size() > 1 && words[1] == "0";
}

std::string mount_of(const std::string& path) {
  constexpr std::string_view cgroups = "/sys/fs/cgroup";
  if (path.starts_with(cgroups)) return std::string(cgroups);
  return path.substr(0, path.find('/', 1));
}

}  // namespace

std::string remedy_for_refusal(const HostFiles& files, const std::string& path, int error) {
  if (error != EROFS && error != EACCES && error != EPERM) return "";
  const bool container = find_host_kind(files).kind == HostKind::container;
  const bool root = is_root(files);
  if (container && root) return "needs the host: run the container with --privileged, or configure the host";
  if (container) return "needs the host: run the container with --privileged and as root, or configure the host";
  if (error == EROFS) return fmt::format("make it writable: sudo mount -o remount,rw {}", mount_of(path));
  if (!root) return run_as_root;
  return "the kernel refuses even root: look into `dmesg` and /sys/kernel/security/lockdown";
}

}  // namespace stepgate
