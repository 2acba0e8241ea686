#include "judge/reduce/gpu_clock.h"

#include <optional>

#include "judge/reduce/find_pass.h"

namespace stepgate {
namespace {

constexpr const char* clock_of_process = "gpu_clock_mhz";
constexpr double khz_per_mhz = 1000;

std::optional<double> mhz_of_windows(const TimedPass& pass) {
  double sum_khz = 0;
  double windows = 0;
  for (const Window& window : pass.windows) {
    if (window.left_out() || !window.gpu_clock_khz) continue;
    sum_khz += static_cast<double>(*window.gpu_clock_khz);
    windows += 1;
  }
  return windows > 0 ? std::optional(sum_khz / windows / khz_per_mhz) : std::nullopt;
}

}  // namespace

void add_gpu_clock(const Evidence& evidence, const RunRecord& record, TimedValues& values) {
  const TimedPass* pass = find_pass(record, Pass::e2e);
  const auto of_windows = pass == nullptr ? std::nullopt : mhz_of_windows(*pass);
  const auto of_passes = evidence.values.find(EvidenceKey::gpu_clock_mean_mhz);
  if (of_windows) {
    values.values[clock_of_process] = *of_windows;
  } else if (of_passes != evidence.values.end()) {
    values.values[clock_of_process] = of_passes->second;
  } else if (const auto why = evidence.absent.find(EvidenceKey::gpu_clock_mean_mhz); why != evidence.absent.end()) {
    values.absent.try_emplace(clock_of_process, why->second);
  }
}

}  // namespace stepgate
