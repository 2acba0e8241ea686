#include "environment/knobs/host_change.h"

#include <fmt/format.h>
#include <signal.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "environment/cpus/cpu_list.h"
#include "environment/knobs/gpu_knobs.h"
#include "environment/process/paused_process.h"
#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

std::string parent_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

/// Moves every process of the cgroup to its parent. Best effort: processes end meanwhile.
void move_processes_up(HostFiles& files, const std::string& folder) {
  const auto processes = files.read(folder + "/cgroup.procs");
  if (!processes) return;
  for (const std::string_view pid : words_of(*processes)) {
    static_cast<void>(files.write(parent_of(folder) + "/cgroup.procs", std::string(pid)));
  }
}

/// A killed process keeps its cgroup busy until it has been reaped.
int remove_cgroup(HostFiles& files, const std::string& folder, double patience_s) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration<double>(patience_s);
  for (;;) {
    move_processes_up(files, folder);
    const int error = files.remove_folder(folder);
    if (error == 0 || error == ENOENT) return 0;
    if (Clock::now() >= deadline) return error;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

/// "00000000,00000003" and "3": the kernel pads masks to the width of the machine.
bool same_mask(std::string left, std::string right) {
  for (std::string* mask : {&left, &right}) {
    std::erase(*mask, ',');
    mask->erase(0, mask->find_first_not_of('0'));
  }
  return left == right;
}

}  // namespace

std::optional<std::string> current_value(const Host& host, const KnobChange& change) {
  switch (change.kind) {
    case ChangeKind::file:
    case ChangeKind::file_in_folder:
      return host.files.read(change.target);
    case ChangeKind::folder:
      return has_word(fmt::format("{}", fmt::join(host.files.names_in(parent_of(change.target)), " ")),
                      change.target.substr(change.target.rfind('/') + 1))
                 ? "present"
                 : "absent";
    case ChangeKind::controller: {
      const auto enabled = host.files.read(change.target);
      if (!enabled) return std::nullopt;
      return has_word(*enabled, change.wanted) ? change.wanted : "";
    }
    case ChangeKind::paused_process:
      return state_of(host.files, change.target);
    default:
      if (host.gpu == nullptr) return std::nullopt;
      const std::string value = read_gpu_change(*host.gpu, change);
      return value.empty() ? std::nullopt : std::optional(value);
  }
}

int apply(const Host& host, const KnobChange& change) {
  switch (change.kind) {
    case ChangeKind::file:
    case ChangeKind::file_in_folder:
      return host.files.write(change.target, change.wanted);
    case ChangeKind::folder: {
      const int error = host.files.make_folder(change.target);
      return error == EEXIST ? 0 : error;  // left by a run whose journal is lost
    }
    case ChangeKind::controller:
      return host.files.write(change.target, "+" + change.wanted);
    case ChangeKind::paused_process:
      return stop_same_process(host.files, change.target);
    default:
      return host.gpu == nullptr ? ENODEV : apply_gpu_change(*host.gpu, change);
  }
}

int put_back(const Host& host, const KnobChange& change, double patience_s) {
  switch (change.kind) {
    case ChangeKind::file:
      return host.files.write(change.target, change.original);
    case ChangeKind::file_in_folder:
      return 0;
    case ChangeKind::folder:
      return remove_cgroup(host.files, change.target, patience_s);
    case ChangeKind::controller:
      return host.files.write(change.target, "-" + change.wanted);
    case ChangeKind::paused_process:
      return signal_same_process(host.files, change.target, SIGCONT);
    default:
      return host.gpu == nullptr ? ENODEV : restore_gpu_change(*host.gpu, change);
  }
}

bool same_value(const KnobChange& change, const std::string& left, const std::string& right) {
  if (left == right) return true;
  if (is_of_gpu(change.kind)) return false;
  if (change.target.ends_with("smp_affinity")) return same_mask(left, right);
  const auto left_cpus = cpu_list_from_text(left);
  const auto right_cpus = cpu_list_from_text(right);
  return left_cpus && right_cpus && !left_cpus->empty() && *left_cpus == *right_cpus;
}

}  // namespace stepgate
