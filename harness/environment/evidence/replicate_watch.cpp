#include "environment/evidence/replicate_watch.h"

#include <fmt/format.h>
#include <sched.h>
#include <time.h>

#include <string>
#include <system_error>
#include <utility>

#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// Threads are read once a second: a mask is set once, while a task file costs 20 us to read.
constexpr std::int64_t samples_per_thread_sample = 5;

double thread_cpu_s() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

ReplicateWatch::ReplicateWatch(fs::path sysroot, CpuList measured, bool threads_may_leave)
    : sysroot_(std::move(sysroot)), measured_(std::move(measured)), threads_may_leave_(threads_may_leave) {}

void ReplicateWatch::sample(pid_t pid, const std::function<bool()>& sends_threads_now) {
  const double begin_s = thread_cpu_s();
  const auto sends_threads = [&] { return sends_threads_now && sends_threads_now(); };
  if (!measured_.empty()) {
    // Not the first sample: exec may not have happened.
    const bool looks_at_threads = !threads_may_leave_ && samples_ % samples_per_thread_sample == 1;
    if (looks_at_threads && !sends_threads() && has_strayed(pid) && !sends_threads()) strayed_ = true;
    sample_cpus();
  }
  ++samples_;
  cpu_s_ += thread_cpu_s() - begin_s;
}

bool ReplicateWatch::has_strayed(pid_t pid) {
  bool strayed = false;
  std::error_code error;
  const fs::path folder = sysroot_ / "proc" / std::to_string(pid) / "task";
  for (fs::directory_iterator thread(folder, error), end; !error && thread != end; thread.increment(error)) {
    const auto status = read_pseudo_file(thread->path() / "status");
    const auto list = status ? value_after(*status, "Cpus_allowed_list") : std::nullopt;
    const auto allowed = list ? cpu_list_from_text(*list) : std::nullopt;
    if (!allowed) continue;
    saw_threads_ = true;
    // A narrower mask is fine: loader workers and OpenMP pin themselves.
    if (!difference(*allowed, measured_).empty()) strayed = true;
  }
  return strayed;
}

void ReplicateWatch::sample_cpus() {
  const fs::path cpus = sysroot_ / "sys/devices/system/cpu";
  const auto online = read_pseudo_file(cpus / "online");
  const auto list = online ? cpu_list_from_text(*online) : std::nullopt;
  if (list && !difference(measured_, *list).empty()) offline_ = true;
  for (const int cpu : measured_) {
    const auto khz = read_pseudo_number(cpus / fmt::format("cpu{}", cpu) / "cpufreq/scaling_cur_freq");
    if (!khz) continue;
    mhz_sum_ += static_cast<double>(*khz) * 1e-3;
    ++mhz_count_;
  }
}

void ReplicateWatch::add_to(Evidence& evidence, double wall_s) const {
  if (saw_threads_ && strayed_) evidence.values[EvidenceKey::affinity_changed] = 1;
  if (samples_ > 0 && !measured_.empty()) evidence.values[EvidenceKey::cpu_offline] = offline_ ? 1 : 0;
  if (mhz_count_ > 0) {
    evidence.values[EvidenceKey::cpu_mean_mhz] = mhz_sum_ / static_cast<double>(mhz_count_);
  } else {
    evidence.absent[EvidenceKey::cpu_mean_mhz] = "this machine shows no scaling_cur_freq";
  }
  if (samples_ > 0 && wall_s > 0) evidence.values[EvidenceKey::watch_cpu_fraction] = cpu_s_ / wall_s;
}

}  // namespace stepgate
