#include "vision/digits_cnn.h"

#include "support/cache_folder.h"

namespace stepgate {

DigitsCnn::DigitsCnn(const CaseContext& context, const DigitsCnnSize& size)
    : DigitsCnn(context, size, open_digits(context.data_dir, cache_folder("records"))) {}

DigitsCnn::DigitsCnn(const CaseContext& context, const DigitsCnnSize& size, DigitData data)
    : ImageTraining(context, {.net = size.net, .loader = size.loader}),
      data_(std::move(data)),
      repeats_(size.repeats) {}

std::shared_ptr<const ImageSamples> DigitsCnn::make_samples() const {
  return std::make_shared<const DigitSamples>(data_.records, repeats_, seed());
}

std::unique_ptr<Workload> make_tiny_digits_cnn(const CaseContext& context) {
  return std::make_unique<DigitsCnn>(context, with_params(tiny_digits_cnn(), context.params));
}

std::unique_ptr<Workload> make_full_digits_cnn(const CaseContext& context) {
  return std::make_unique<DigitsCnn>(context, with_params(full_digits_cnn(), context.params));
}

std::unique_ptr<Workload> make_gpu_small_digits_cnn(const CaseContext& context) {
  return std::make_unique<DigitsCnn>(context, with_params(gpu_small_digits_cnn(), context.params));
}

}  // namespace stepgate
