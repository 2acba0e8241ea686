#include "environment/knobs/gpu_knobs.h"

#include <fmt/format.h>

#include <cerrno>
#include <optional>
#include <utility>

#include "environment/knobs/refusal_remedy.h"
#include "environment/knobs/settled_knob.h"
#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

constexpr const char* gpu_off = "0";
constexpr const char* gpu_on = "1";

struct ClockKnob {
  const char* name;
  ChangeKind kind;
  GpuClock clock;
  const char* label;
  const char* option;
};
constexpr ClockKnob core_clock = {"gpu_clock", ChangeKind::gpu_clocks, GpuClock::core, "core clock", "--gpu-clock MHZ"};
constexpr ClockKnob memory_clock = {"gpu_memory_clock", ChangeKind::gpu_memory_clocks, GpuClock::memory, "memory clock",
                                    "--gpu-memory-clock MHZ"};

KnobReport report_of(const char* knob, KnobState state, std::string reason) {
  KnobReport report;
  report.name = knob;
  report.mode = GuardMode::host;
  report.state = state;
  report.reason = std::move(reason);
  return report;
}

KnobReport refused(const char* knob, int code, std::string reason) {
  KnobReport report = report_of(knob, code == EPERM ? KnobState::denied : KnobState::unsupported, std::move(reason));
  report.error = code;
  if (code == EPERM) report.remedy = run_as_root;
  return report;
}

KnobReport unknown_gpu(const ClockKnob& knob, std::int64_t mhz) {
  KnobReport report =
      report_of(knob.name, KnobState::denied, "which GPU is used is not known, or no case here needs one");
  report.wanted = std::to_string(mhz);
  report.remedy = "name it in CUDA_VISIBLE_DEVICES by its UUID (nvidia-smi -L)";
  return report;
}

KnobReport unnamed_clock(const ClockKnob& knob) {
  KnobReport report = report_of(knob.name, KnobState::available,
                                fmt::format("the driver cannot say what the {} was locked to before, so that it is "
                                            "locked only where you name a value",
                                            knob.label));
  report.remedy = knob.option;
  return report;
}

/// The driver takes any number and silently runs at its highest clock. Every sample would then be off the lock.
std::optional<KnobReport> impossible_clock(const ClockKnob& knob, std::int64_t mhz,
                                           const GpuAnswer<std::int64_t>& highest) {
  if (mhz > 0 && (!highest.value || mhz <= *highest.value)) return std::nullopt;
  const std::string most = highest.value ? fmt::format(", the highest is {} MHz", *highest.value) : "";
  KnobReport report =
      refused(knob.name, EINVAL, fmt::format("{} MHz is not a {} of this GPU{}", mhz, knob.label, most));
  report.wanted = std::to_string(mhz);
  report.remedy = knob.option;
  return report;
}

KnobPlan plan_clock(const GpuWishes& gpu, const ClockKnob& knob) {
  const auto wish = knob.clock == GpuClock::core ? gpu.lock_clock_mhz : gpu.lock_memory_clock_mhz;
  if (gpu.driver == nullptr) return wish ? settled_plan(unknown_gpu(knob, *wish)) : KnobPlan{};
  const GpuAnswer<std::int64_t> highest = gpu.driver->highest_clock_mhz(gpu.uuid, knob.clock);
  if (highest.code == ENODEV) return settled_plan(refused(knob.name, ENODEV, highest.reason));
  if (!wish) return settled_plan(unnamed_clock(knob));
  if (auto report = impossible_clock(knob, *wish, highest)) return settled_plan(*std::move(report));
  return {.changes = {{knob.name, knob.kind, gpu.uuid, "unknown", std::to_string(*wish)}}};
}

GpuClock clock_of(ChangeKind kind) { return kind == ChangeKind::gpu_clocks ? GpuClock::core : GpuClock::memory; }

int set_persistence(GpuDriver& driver, const std::string& uuid, const std::string& state) {
  if (state != gpu_on && state != gpu_off) return EINVAL;
  return driver.set_persistence(uuid, state == gpu_on).code;
}

}  // namespace

KnobPlan plan_gpu_persistence(const HostFiles&, const HostWishes& wishes) {
  constexpr const char* knob = "gpu_persistence";
  const GpuWishes& gpu = wishes.gpu;
  if (gpu.driver == nullptr) return {};
  const GpuAnswer<bool> now = gpu.driver->persistence(gpu.uuid);
  if (!now.value) return settled_plan(refused(knob, now.code, now.reason));
  if (!*now.value) return {.changes = {{knob, ChangeKind::gpu_persistence, gpu.uuid, gpu_off, gpu_on}}};
  KnobReport report = report_of(knob, KnobState::already, "the GPU stays initialised between processes");
  report.before = report.wanted = report.after = gpu_on;
  return settled_plan(std::move(report));
}

KnobPlan plan_gpu_clock(const HostFiles&, const HostWishes& wishes) { return plan_clock(wishes.gpu, core_clock); }

KnobPlan plan_gpu_memory_clock(const HostFiles&, const HostWishes& wishes) {
  return plan_clock(wishes.gpu, memory_clock);
}

int apply_gpu_change(GpuDriver& driver, const KnobChange& change) {
  switch (change.kind) {
    case ChangeKind::gpu_persistence:
      return set_persistence(driver, change.target, change.wanted);
    case ChangeKind::gpu_clocks:
    case ChangeKind::gpu_memory_clocks: {
      const auto mhz = integer_from(change.wanted);
      return mhz ? driver.lock_clock(change.target, clock_of(change.kind), {*mhz, *mhz}).code : EINVAL;
    }
    default:
      return EINVAL;
  }
}

int restore_gpu_change(GpuDriver& driver, const KnobChange& change) {
  switch (change.kind) {
    case ChangeKind::gpu_persistence:
      return set_persistence(driver, change.target, change.original);
    case ChangeKind::gpu_clocks:
    case ChangeKind::gpu_memory_clocks:
      return driver.reset_clock(change.target, clock_of(change.kind)).code;
    default:
      return EINVAL;
  }
}

std::string read_gpu_change(GpuDriver& driver, const KnobChange& change) {
  if (change.kind != ChangeKind::gpu_persistence) return "";
  const GpuAnswer<bool> now = driver.persistence(change.target);
  if (!now.value) return "";
  return *now.value ? gpu_on : gpu_off;
}

}  // namespace stepgate
