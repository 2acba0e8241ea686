#include "environment/gpu/gpu_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace stepgate {
namespace {

constexpr std::int64_t sample_interval_ns = 200'000'000;

bool is_lower_worse(EvidenceKey key) { return key == EvidenceKey::gpu_clock_mean_mhz; }

bool is_above_limit(EvidenceKey key, double value) {
  const auto& limit = row_of(key).limit;
  return limit && value > limit->value;
}

void merge_value(EvidenceKey key, double value, Evidence& worst) {
  if (worst.absent.contains(key)) {
    if (!is_above_limit(key, value)) return;
    worst.absent.erase(key);
  }
  const auto [at, is_new] = worst.values.emplace(key, value);
  if (!is_new) at->second = is_lower_worse(key) ? std::min(at->second, value) : std::max(at->second, value);
}

void merge_absent(EvidenceKey key, const std::string& reason, Evidence& worst) {
  const auto known = worst.values.find(key);
  if (known != worst.values.end()) {
    if (is_above_limit(key, known->second)) return;
    worst.values.erase(known);
  }
  worst.absent.emplace(key, reason);
}

}  // namespace

MeasuredStage measured_stage(const std::vector<ProcessPlace>& places) {
  MeasuredStage all = MeasuredStage::unknown;
  for (const ProcessPlace& place : places) {
    if (place.stage == RunStage::unknown) continue;
    if (place.stage == RunStage::after_passes) return MeasuredStage::after;
    const MeasuredStage stage = place.stage == RunStage::pass ? MeasuredStage::measuring : MeasuredStage::before;
    if (all != MeasuredStage::before) all = stage;
  }
  return all;
}

GpuWatch::GpuWatch(GpuDriver* driver, GpuWatchRequest request) : driver_(driver), uuids_(std::move(request.uuids)) {
  if (driver_ == nullptr) return;
  for (const std::string& uuid : uuids_) {
    windows_.push_back({.before = read_gpu(*driver_, uuid),
                        .samples = {},
                        .is_told_of_mps = request.is_told_of_mps,
                        .locked_clock_mhz = request.locked_clock_mhz});
    const GpuAnswer<std::vector<std::int64_t>> before = driver_->xids_after(uuid, 0);  // nobody's of this process
    listening_.push_back({{before.code, before.reason}, before.value ? before.value->size() : 0});
  }
}

bool GpuWatch::is_due(std::int64_t now_ns) const { return !last_ns_ || now_ns - *last_ns_ >= sample_interval_ns; }

void GpuWatch::forget_samples() {
  for (GpuWindow& window : windows_) window.samples.clear();
  last_ns_.reset();
}

void GpuWatch::sample(const StageReader& stage, MeasuredStage expected) {
  std::vector<GpuSample> samples;
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    samples.push_back(sample_gpu(*driver_, uuids_[i]));
    const auto loss = loss_in(samples.back());
    if (loss && lost_.empty() && !loss_in(windows_[i].before.sample)) {
      lost_ = fmt::format("GPU {} was lost while the process ran: {}", uuids_[i], *loss);
    }
  }
  if (stage() != expected) return;
  for (std::size_t i = 0; i < windows_.size(); ++i) windows_[i].samples.push_back(std::move(samples[i]));
}

void GpuWatch::look(const StageReader& stage, std::int64_t now_ns) {
  if (!is_on()) return;
  const MeasuredStage now = stage();
  // A pass is entered, and then its warm-up begins: what was read before that is not of the window.
  if (now == MeasuredStage::before || (now != MeasuredStage::unknown && !knows_stages_)) forget_samples();
  knows_stages_ = knows_stages_ || now != MeasuredStage::unknown;
  const bool is_measuring = now == MeasuredStage::measuring || (now == MeasuredStage::unknown && !knows_stages_);
  if (!is_measuring || !is_due(now_ns)) return;
  last_ns_ = now_ns;
  sample(stage, now);
}

void GpuWatch::look(const StageReader& stage) {
  look(stage, std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

void GpuWatch::add_to(Evidence& evidence) const {
  if (!is_on()) return;
  Evidence worst;
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    Evidence one;
    add_gpu_evidence(windows_[i], one);
    const std::string whose = windows_.size() == 1 ? "" : fmt::format("GPU {}: ", uuids_[i]);
    for (const auto& [key, value] : one.values) merge_value(key, value, worst);
    for (const auto& [key, reason] : one.absent) merge_absent(key, whose + reason, worst);
  }
  evidence.values.insert(worst.values.begin(), worst.values.end());
  evidence.absent.insert(worst.absent.begin(), worst.absent.end());
}

std::vector<ClockReadings> GpuWatch::clocks() const {
  std::vector<ClockReadings> of_gpus;
  for (const GpuWindow& window : windows_) of_gpus.push_back(clock_readings(window));
  return of_gpus;
}

std::optional<GpuAnswer<std::vector<GpuFault>>> GpuWatch::faults() {
  using Faults = GpuAnswer<std::vector<GpuFault>>;
  if (!is_on()) return std::nullopt;
  std::vector<GpuFault> found;
  GpuOutcome failed;
  for (std::size_t i = 0; i < uuids_.size(); ++i) {
    Listening& listening = listening_[i];
    if (listening.began.code != 0) {  // nobody has listened, which is not "none"
      failed = listening.began;
      continue;
    }
    const GpuAnswer<std::vector<std::int64_t>> xids = driver_->xids_after(uuids_[i], listening.known);
    if (!xids.value) {
      failed = {xids.code, xids.reason};
      continue;
    }
    listening.known += xids.value->size();
    for (const std::int64_t xid : *xids.value) found.push_back({uuids_[i], xid});
  }
  // What one GPU has told must not be lost by another one that does not answer.
  if (failed.code != 0 && found.empty()) return Faults{std::nullopt, failed.code, failed.reason};
  return Faults{std::move(found), 0, ""};
}

std::string GpuWatch::lost() {
  if (is_on() && lost_.empty()) sample([] { return MeasuredStage::unknown; }, MeasuredStage::after);
  return lost_;
}

}  // namespace stepgate
