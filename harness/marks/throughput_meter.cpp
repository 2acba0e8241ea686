#include "stepgate/throughput_meter.h"

#include <stdexcept>

namespace stepgate {
namespace {

constexpr double ns_per_s = 1e9;
constexpr double flops_per_tflop = 1e12;

StepWork difference(const StepWork& end, const StepWork& begin) {
  return {end.samples - begin.samples, end.padded_tokens - begin.padded_tokens,
          end.effective_tokens - begin.effective_tokens, end.flops - begin.flops};
}

bool positive_if_given(const std::optional<double>& flops) { return !flops || *flops > 0; }

}  // namespace

void require_positive_if_given(const ModelFlops& flops) {
  if (positive_if_given(flops.per_step) && positive_if_given(flops.peak_per_s)) return;
  throw std::invalid_argument("ModelFlops: give positive numbers, or leave them out");
}

Throughput throughput_of(const WorkDone& done, const ModelFlops& flops) {
  Throughput result;
  result.steps = done.steps;
  result.seconds = static_cast<double>(done.elapsed_ns) / ns_per_s;
  if (done.steps <= 0 || done.elapsed_ns <= 0) return result;
  const auto rate = [&](std::int64_t count) {
    return count > 0 ? std::optional(static_cast<double>(count) / result.seconds) : std::nullopt;
  };
  result.samples_per_s = rate(done.work.samples);
  result.padded_tokens_per_s = rate(done.work.padded_tokens);
  result.effective_tokens_per_s = rate(done.work.effective_tokens);
  if (!flops.per_step) return result;
  const double flops_per_s = *flops.per_step * static_cast<double>(done.steps) / result.seconds;
  result.tflops_per_s = flops_per_s / flops_per_tflop;
  if (flops.peak_per_s) result.mfu = flops_per_s / *flops.peak_per_s;
  return result;
}

ThroughputMeter::ThroughputMeter(const ThroughputOptions& options) : options_(options), ring_(options.window + 1) {
  if (options.window == 0) throw std::invalid_argument("ThroughputMeter: a window has at least one step");
  require_positive_if_given(options.flops);
  begin_.end_ns = options_.clock();
  ring_[0] = begin_;
}

Throughput ThroughputMeter::overall() const { return since(begin_, steps_); }

Throughput ThroughputMeter::recent() const {
  const auto window = static_cast<std::int64_t>(options_.window);
  if (steps_ <= window) return overall();
  return since(ring_[after(at_)], window);
}

Throughput ThroughputMeter::since(const Totals& begin, std::int64_t steps) const {
  const Totals& end = newest();
  return throughput_of({steps, end.end_ns - begin.end_ns, difference(end.work, begin.work)}, options_.flops);
}

}  // namespace stepgate
