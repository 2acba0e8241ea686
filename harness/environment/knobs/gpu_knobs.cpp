#include "environment/knobs/gpu_knobs.h"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

#include "environment/host_files/pseudo_file.h"
#include "environment/knobs/refusal_remedy.h"

namespace stepgate {
namespace {

constexpr const char* off = "0";
constexpr const char* on = "1";

struct ClockKnob {
  const char* name;
  ChangeKind kind;
  GpuClock clock;
  const char* words;
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

void plan_persistence(GpuDriver& driver, const std::string& uuid, KnobPlan& plan) {
  constexpr const char* knob = "gpu_persistence";
  const GpuAnswer<bool> now = driver.persistence(uuid);
  if (!now.value) {
    plan.settled.push_back(refused(knob, now.code, now.reason));
  } else if (*now.value) {
    KnobReport report = report_of(knob, KnobState::already, "the GPU stays initialised between processes");
    report.before = report.wanted = report.after = on;
    plan.settled.push_back(std::move(report));
  } else {
    plan.changes.push_back({knob, ChangeKind::gpu_persistence, uuid, off, on, rank_gpu});
  }
}

void plan_clock(GpuDriver& driver, const GpuWishes& wishes, const ClockKnob& knob, KnobPlan& plan) {
  const std::optional<std::int64_t> wish =
      knob.clock == GpuClock::core ? wishes.lock_clock_mhz : wishes.lock_memory_clock_mhz;
  const GpuAnswer<std::int64_t> highest = driver.highest_clock_mhz(wishes.uuid, knob.clock);
  if (highest.code == ENODEV) {
    plan.settled.push_back(refused(knob.name, ENODEV, highest.reason));
    return;
  }
  if (!wish) {
    KnobReport report = report_of(knob.name, KnobState::available,
                                  fmt::format("the driver cannot say what the {} was locked to before, so that it is "
                                              "locked only where you name a value",
                                              knob.words));
    report.remedy = knob.option;
    plan.settled.push_back(std::move(report));
    return;
  }
  // The driver takes any number and quietly runs at its highest: every sample would then be off the lock.
  if (*wish <= 0 || (highest.value && *wish > *highest.value)) {
    const std::string most = highest.value ? fmt::format(", the highest is {} MHz", *highest.value) : "";
    KnobReport report =
        refused(knob.name, EINVAL, fmt::format("{} MHz is no {} of this GPU{}", *wish, knob.words, most));
    report.wanted = std::to_string(*wish);
    report.remedy = knob.option;
    plan.settled.push_back(std::move(report));
    return;
  }
  plan.changes.push_back({knob.name, knob.kind, wishes.uuid, "unknown", std::to_string(*wish), rank_gpu});
}

GpuClock clock_of(ChangeKind kind) { return kind == ChangeKind::gpu_clocks ? GpuClock::core : GpuClock::memory; }

int set_persistence(GpuDriver& driver, const std::string& uuid, const std::string& state) {
  if (state != on && state != off) return EINVAL;
  return driver.set_persistence(uuid, state == on).code;
}

}  // namespace

KnobPlan plan_gpu_knobs(GpuDriver& driver, const GpuWishes& wishes) {
  KnobPlan plan;
  plan_persistence(driver, wishes.uuid, plan);
  plan_clock(driver, wishes, core_clock, plan);
  plan_clock(driver, wishes, memory_clock, plan);
  return plan;
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
  return *now.value ? on : off;
}

}  // namespace stepgate
