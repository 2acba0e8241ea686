#include "environment/knobs/cpu_idle_knob.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include "environment/knobs/refusal_remedy.h"
#include "environment/knobs/settled_knob.h"

namespace stepgate {

KnobPlan plan_cpu_idle(const HostFiles& files, const HostWishes&) {
  const std::string knob = "cpu_idle";
  const int refusal = files.write_refusal(cpu_latency_file);
  if (refusal == ENOENT || refusal == ENXIO || refusal == ENODEV) {
    return settled_plan(unsupported_knob(knob, "this kernel has no limit on how deep CPUs sleep"));
  }
  // Its content is binary and the sum of all processes' requests: there is no original to show.
  const KnobChange wish{knob, ChangeKind::file, cpu_latency_file, "", "0 us", 0};
  if (refusal != 0) return settled_plan(denied_knob(files, {wish}, cpu_latency_file, refusal));
  KnobReport report;
  report.name = knob;
  report.mode = GuardMode::host;
  report.state = KnobState::available;
  report.wanted = wish.wanted;
  report.reason = "CPUs stay out of deep sleep as long as a run holds this open";
  return settled_plan(report);
}

Descriptor hold_cpus_awake(const HostFiles& files, KnobReport& report) {
  Descriptor file(::open(cpu_latency_file, O_RDWR | O_CLOEXEC));
  if (file.is_open()) errno = EIO;  // a write that is cut short sets no errno
  const std::int32_t no_latency_us = 0;
  if (!file.is_open() || ::write(file.number(), &no_latency_us, sizeof no_latency_us) != sizeof no_latency_us) {
    report.state = KnobState::denied;
    report.error = errno;
    report.reason = fmt::format("{}: {}", cpu_latency_file, std::strerror(report.error));
    report.remedy = remedy_for_refusal(files, cpu_latency_file, report.error);
    return Descriptor();
  }
  std::int32_t aggregate_us = -1;
  static_cast<void>(::pread(file.number(), &aggregate_us, sizeof aggregate_us, 0) < 0);
  report.after = fmt::format("{} us", aggregate_us);
  report.state = aggregate_us == no_latency_us ? KnobState::achieved : KnobState::overridden;
  return file;
}

}  // namespace stepgate
