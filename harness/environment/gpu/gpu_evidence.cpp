#include "environment/gpu/gpu_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>

#include "environment/gpu/gpu_users.h"

namespace stepgate {
namespace {

constexpr double lock_tolerance = 0.02;  // clocks move in steps of about 1 %
// The default limit is 2 %: from 50 samples on, a single one cannot exceed it.
constexpr std::size_t fewest_samples = 50;
constexpr const char* no_sample = "no reading fell into the timed passes";

std::string hidden_users_of(GpuDriver& driver, const std::string& uuid) {
  const GpuAnswer<std::vector<Gpu>> gpus = driver.gpus();
  if (!gpus.value) return fmt::format("not observable: {}", gpus.reason);
  const auto gpu =
      std::find_if(gpus.value->begin(), gpus.value->end(), [&](const Gpu& one) { return one.uuid == uuid; });
  if (gpu == gpus.value->end()) return fmt::format("not observable: the driver lists no GPU {}", uuid);
  if (gpu->is_virtual) return "not observable: this is a vGPU, a share of a GPU";
  if (gpu->mig == Mig::on) return "not observable: the GPU is split (MIG)";
  if (gpu->mig == Mig::unknown) return "not observable: the driver does not say whether the GPU is split (MIG)";
  return "";
}

/// Adds values to the evidence, or why there is none.
class Adding {
 public:
  Adding(const GpuWindow& window, Evidence& evidence) : window_(window), evidence_(evidence) {
    for (const GpuSample& sample : window.samples) {
      if (sample.idle.value == false) working_.push_back(&sample);
    }
  }

  void counters() {
    growth(EvidenceKey::gpu_sync_boost_ns, &GpuCounters::sync_boost_ns);
    growth(EvidenceKey::gpu_sw_thermal_ns, &GpuCounters::software_thermal_ns);
    growth(EvidenceKey::gpu_hw_thermal_ns, &GpuCounters::hardware_thermal_ns);
    growth(EvidenceKey::gpu_power_brake_ns, &GpuCounters::power_brake_ns);
    if (growth(EvidenceKey::gpu_power_cap_fraction, &GpuCounters::power_cap_ns)) {
      evidence_.values[EvidenceKey::gpu_power_cap_fraction] /= static_cast<double>(window_ns());
    }
  }

  void users() {
    const OtherUsers others = other_users(window_);
    if (others.processes) {
      evidence_.values[EvidenceKey::other_gpu_processes] = static_cast<double>(*others.processes);
    } else {
      absent(EvidenceKey::other_gpu_processes, others.reason);
    }
    constexpr EvidenceKey key = EvidenceKey::gpu_mps_clients;
    std::optional<std::int64_t> most;
    for (const GpuSample& sample : window_.samples) {
      if (sample.users.value && sample.users.value->mps_clients) {
        most = std::max(most.value_or(0), *sample.users.value->mps_clients);
      }
    }
    if (most) {
      evidence_.values[key] = static_cast<double>(*most);
    } else {
      absent(key, window_.samples.empty() ? no_sample : "the driver has no list of the service's clients");
    }
  }

  void clock() {
    mean(EvidenceKey::gpu_clock_mean_mhz, &GpuSample::clock_mhz);
    constexpr EvidenceKey key = EvidenceKey::gpu_clock_off_lock_fraction;
    if (!window_.locked_clock_mhz) return absent(key, "the clock is not locked");
    const auto lock = static_cast<double>(*window_.locked_clock_mhz);
    const GpuSample* previous = window_.samples.empty() ? nullptr : &window_.samples.front();
    std::size_t seen = 0;
    std::size_t off = 0;
    for (const GpuSample& sample : window_.samples) {
      const auto cap_before = previous->counters.power_cap_ns.value;
      const auto cap = sample.counters.power_cap_ns.value;
      previous = &sample;
      // Without the power cap nobody can say what moved the clock.
      if (sample.idle.value != false || !sample.clock_mhz.value || !cap_before || !cap) continue;
      ++seen;
      const double distance = std::abs(static_cast<double>(*sample.clock_mhz.value) - lock);
      if (distance > lock_tolerance * lock && *cap <= *cap_before) ++off;
    }
    if (seen < fewest_samples) {
      return absent(key, fmt::format("{} samples of the working GPU with its power cap are too few to tell", seen));
    }
    evidence_.values[key] = static_cast<double>(off) / static_cast<double>(seen);
  }

  void heat_and_power() {
    mean(EvidenceKey::gpu_power_w, &GpuSample::power_w);
    std::optional<double> highest;
    const auto look = [&](const GpuSample& sample) {
      if (sample.temperature_c.value) highest = std::max(highest.value_or(-273.15), *sample.temperature_c.value);
    };
    std::for_each(window_.samples.begin(), window_.samples.end(), look);
    if (highest) {
      evidence_.values[EvidenceKey::gpu_temperature_c] = *highest;
    } else {
      absent(EvidenceKey::gpu_temperature_c,
             window_.samples.empty() ? no_sample : window_.samples.front().temperature_c.reason);
    }
  }

  void memory() {
    const auto& used = window_.before.memory_used_bytes;
    if (!used.value) return absent(EvidenceKey::gpu_memory_used_before_bytes, used.reason);
    evidence_.values[EvidenceKey::gpu_memory_used_before_bytes] = static_cast<double>(*used.value);
  }

 private:
  void absent(EvidenceKey key, const std::string& why) { evidence_.absent[key] = why; }

  std::int64_t window_ns() const {
    return window_.samples.empty() ? 0 : window_.samples.back().time_ns - window_.samples.front().time_ns;
  }

  /// From the first sample to the last. A counter that goes back anywhere between them says nothing.
  bool growth(EvidenceKey key, GpuAnswer<std::int64_t> GpuCounters::*counter) {
    if (window_ns() <= 0) {
      absent(key, window_.samples.empty() ? no_sample : "the timed passes are too short for two readings");
      return false;
    }
    std::optional<std::int64_t> previous;
    for (const GpuSample& sample : window_.samples) {
      const auto& now = sample.counters.*counter;
      const std::string why = !now.value                           ? now.reason
                              : previous && *now.value < *previous ? "the driver's counter went backwards"
                                                                   : "";
      if (!now.value || !why.empty()) {
        absent(key, why);
        return false;
      }
      previous = now.value;
    }
    const std::int64_t first = *(window_.samples.front().counters.*counter).value;
    evidence_.values[key] = static_cast<double>(*previous - first);
    return true;
  }

  template <typename Value>
  void mean(EvidenceKey key, GpuAnswer<Value> GpuSample::*member) {
    double sum = 0;
    std::size_t count = 0;
    for (const GpuSample* sample : working_) {
      const auto& answer = sample->*member;
      if (!answer.value) continue;
      sum += static_cast<double>(*answer.value);
      ++count;
    }
    if (count == 0) return absent(key, why_no_mean(member));
    evidence_.values[key] = sum / static_cast<double>(count);
  }

  template <typename Value>
  std::string why_no_mean(GpuAnswer<Value> GpuSample::*member) const {
    if (!working_.empty()) return (working_.front()->*member).reason;
    if (!window_.samples.empty() && !window_.samples.front().idle.value) return window_.samples.front().idle.reason;
    return window_.samples.empty() ? no_sample : "no sample was taken while the GPU worked";
  }

  const GpuWindow& window_;
  Evidence& evidence_;
  std::vector<const GpuSample*> working_;
};

}  // namespace

GpuSample sample_gpu(GpuDriver& driver, const std::string& uuid) {
  GpuSample sample;
  sample.time_ns = std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  sample.idle = driver.idle(uuid);
  sample.clock_mhz = driver.clock_mhz(uuid, GpuClock::core);
  sample.temperature_c = driver.temperature_c(uuid);
  sample.power_w = driver.power_w(uuid);
  sample.counters = driver.counters(uuid);
  sample.users = driver.users(uuid);
  return sample;
}

std::optional<std::string> loss_in(const GpuSample& sample) {
  std::optional<std::string> loss;
  bool answers = false;
  const auto look = [&](const auto& answer) {
    answers = answers || answer.value.has_value();
    if (answer.code == ENODEV && !loss) loss = answer.reason;
  };
  look(sample.idle);
  look(sample.clock_mhz);
  look(sample.temperature_c);
  look(sample.power_w);
  look(sample.users);
  const GpuCounters& counters = sample.counters;
  for (const auto* counter : {&counters.power_cap_ns, &counters.sync_boost_ns, &counters.software_thermal_ns,
                              &counters.hardware_thermal_ns, &counters.power_brake_ns}) {
    look(*counter);
  }
  return answers ? std::nullopt : loss;
}

GpuReading read_gpu(GpuDriver& driver, const std::string& uuid) {
  GpuReading reading;
  reading.sample = sample_gpu(driver, uuid);
  reading.memory_used_bytes = driver.memory_used_bytes(uuid);
  reading.hidden_users = hidden_users_of(driver, uuid);
  return reading;
}

void add_gpu_evidence(const GpuWindow& window, Evidence& evidence) {
  Adding adding(window, evidence);
  adding.counters();
  adding.users();
  adding.clock();
  adding.heat_and_power();
  adding.memory();
}

}  // namespace stepgate
