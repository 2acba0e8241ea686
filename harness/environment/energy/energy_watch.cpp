#include "environment/energy/energy_watch.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/pass.h"

namespace stepgate {
namespace {

constexpr std::int64_t energy_interval_ns = 200'000'000;
// Own choice: a GPU's counter may stand still for 0.1 s, so an energy of less than 2 s would be off by more than 5 %.
constexpr std::int64_t shortest_span_ns = 2'000'000'000;

/// The step that the first rank is in, where every rank that says where it is runs the e2e pass.
std::optional<double> step_in_e2e(const std::vector<ProcessPlace>& places) {
  std::optional<double> step;
  for (const ProcessPlace& place : places) {
    if (place.stage == RunStage::unknown) continue;
    if (!is_in_pass(place, name_of(Pass::e2e))) return std::nullopt;
    if (!step) step = static_cast<double>(place.step.step);
  }
  return step;
}

struct EnergyOf {
  EvidenceKey key;
  std::optional<double> first;
  std::optional<double> last;
  const std::string& why;
};

void add_energy(const EnergyOf& energy, Evidence& evidence) {
  if (energy.first && energy.last && *energy.last >= *energy.first) {
    evidence.values[energy.key] = *energy.last - *energy.first;
  } else {
    evidence.absent[energy.key] = energy.why.empty() ? "the counter went back" : energy.why;
  }
}

}  // namespace

EnergyWatch::EnergyWatch(EnergyRequest request) : request_(std::move(request)), packages_(request_.sysroot) {}

std::optional<double> EnergyWatch::read_gpus() {
  if (!request_.why_no_gpu.empty()) {
    why_no_gpu_ = request_.why_no_gpu;
    return std::nullopt;
  }
  if (request_.uuids.empty()) {
    why_no_gpu_ = "the launcher does not know which GPUs the process uses";
    return std::nullopt;
  }
  double sum_j = 0;
  for (const std::string& uuid : request_.uuids) {
    const GpuAnswer<double> energy = request_.driver->total_energy_j(uuid);
    if (!energy.value) {
      why_no_gpu_ = energy.reason;
      return std::nullopt;
    }
    sum_j += *energy.value;
  }
  return sum_j;
}

void EnergyWatch::look(const PlaceReader& places, std::int64_t now_ns) {
  if (!request_.why_not.empty()) return;
  if (last_ && now_ns - last_->time_ns < energy_interval_ns) return;
  const std::optional<double> before = step_in_e2e(places());
  if (!before) return;
  Reading reading{.time_ns = now_ns};
  if (request_.driver != nullptr) reading.gpu_j = read_gpus();
  reading.package_j = packages_.read_j();
  if (!reading.package_j) why_no_package_ = packages_.reason();
  const std::optional<double> after = step_in_e2e(places());
  if (!after) return;
  reading.step = (*before + *after) / 2;
  if (!first_) first_ = reading;
  last_ = reading;
}

void EnergyWatch::look(const PlaceReader& places) {
  look(places, std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

std::string EnergyWatch::why_too_short() const {
  if (!request_.why_not.empty()) return request_.why_not;
  const bool long_enough =
      first_ && last_ && last_->time_ns - first_->time_ns >= shortest_span_ns && last_->step > first_->step;
  return long_enough ? "" : "less than 2 s of the e2e pass lie between two readings of energy";
}

void EnergyWatch::add_to(Evidence& evidence) const {
  if (const std::string why = why_too_short(); !why.empty()) {
    evidence.absent[EvidenceKey::package_energy_j] = why;
    if (request_.driver != nullptr) evidence.absent[EvidenceKey::gpu_energy_j] = why;
    return;
  }
  evidence.values[EvidenceKey::energy_steps] = last_->step - first_->step;
  add_energy({EvidenceKey::package_energy_j, first_->package_j, last_->package_j, why_no_package_}, evidence);
  if (request_.driver != nullptr)
    add_energy({EvidenceKey::gpu_energy_j, first_->gpu_j, last_->gpu_j, why_no_gpu_}, evidence);
}

}  // namespace stepgate
