#include "language/char_lm_accumulated.h"

#include "support/checkpoint_file.h"
#include "support/clip_gradients.h"
#include "support/cosine_schedule.h"

namespace stepgate {
namespace {

// The rate of char_lm at the top of the schedule, a tenth of it at its end, which is usual.
constexpr double peak_rate = 3e-3;
constexpr double least_rate = 3e-4;
constexpr double max_norm_of_update = 1.0;
/// Records between two writes. The logging pass logs 40 steps, which are 10 updates: it holds one write.
constexpr std::size_t records_per_write = 10;

TelemetryOptions telemetry_options(const std::filesystem::path& folder, const torch::Device& device) {
  return {.folder = folder, .every = 1, .window = records_per_write, .most_series = 8, .device = device};
}

}  // namespace

CharLmAccumulated::CharLmAccumulated(const CaseContext& context, const CharLmAccumulatedSize& size)
    : CharLmAccumulated(context, size, load_python_sources(context.data_dir)) {}

CharLmAccumulated::CharLmAccumulated(const CaseContext& context, const CharLmAccumulatedSize& size,
                                     const TextCorpus& corpus)
    : CharLm(context, size.model, corpus),
      size_(size),
      log_folder_(size.telemetry),
      telemetry_(telemetry_options(log_folder_.path(), context.device)) {}

void CharLmAccumulated::backward(const torch::Tensor& loss) {
  (loss / static_cast<double>(size_.micro_batches)).backward();
}

double CharLmAccumulated::learning_rate() const {
  return scheduled_rate({.peak = peak_rate,
                         .least = least_rate,
                         .warmup_updates = size_.warmup_updates,
                         .total_updates = size_.total_updates},
                        updates_);
}

void CharLmAccumulated::optimizer_step() {
  if (++micro_batch_ < size_.micro_batches) return;
  micro_batch_ = 0;
  set_learning_rate(optimizer(), learning_rate());
  gradient_norm_ = clip_gradients(parameters(), max_norm_of_update);
  optimizer().step();
  zero_gradients();
  ++updates_;
}

void CharLmAccumulated::log_step(std::int64_t step, const torch::Tensor& loss) {
  CharLm::log_step(step, loss);
  if (micro_batch_ != 0 || !telemetry_.begin_step(updates_)) return;
  telemetry_.scalar("loss", loss.detach());
  telemetry_.learning_rate(optimizer());
  telemetry_.scalar("gradient_norm", gradient_norm_);
  telemetry_.end_step();
}

bool CharLmAccumulated::save_checkpoint(const std::filesystem::path& path) {
  save_checkpoint_file(path, *model(), optimizer());
  return true;
}

std::unique_ptr<Workload> make_tiny_char_lm_accumulated(const CaseContext& context) {
  return std::make_unique<CharLmAccumulated>(context, with_params(tiny_char_lm_accumulated(), context.params));
}

}  // namespace stepgate
