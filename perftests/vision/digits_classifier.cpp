#include "vision/digits_classifier.h"

#include "support/cache_folder.h"

namespace stepgate {
namespace {

ConvNet model_in_eval_mode(const torch::Device& device, const ConvNetSize& size) {
  ConvNet model(size);  // on the host, so that a seed gives the same weights on every device
  model->to(device);
  model->eval();
  return model;
}

/// A request is loaded by the thread that answers it. Pinned memory needs a CUDA machine.
LoaderShape loader_of_requests(LoaderShape shape, const CaseContext& context) {
  shape.workers = 0;
  if (!context.device.is_cuda()) shape.pinned = 0;
  return shape;
}

}  // namespace

DigitsClassifier::DigitsClassifier(const CaseContext& context, const DigitsCnnSize& size)
    : DigitsClassifier(context, size, open_digits(context.data_dir, cache_folder("records"))) {}

DigitsClassifier::DigitsClassifier(const CaseContext& context, const DigitsCnnSize& size, const DigitData& data)
    : data_digest_(data.digest),
      model_(model_in_eval_mode(context.device, size.net)),
      loader_(
          std::make_unique<ImageLoader>(std::make_shared<const DigitSamples>(data.records, size.repeats, context.seed),
                                        loader_of_requests(size.loader, context), context.seed)) {}

/// A request has no label.
Batch DigitsClassifier::next_batch() {
  Batch batch = loader_->next();
  batch.tensors.resize(1);
  return batch;
}

torch::Tensor DigitsClassifier::infer(const Batch& batch) {
  const torch::NoGradGuard no_grad;
  return model_->forward(batch.tensors[0]);
}

void DigitsClassifier::post(const torch::Tensor& answer) { labels_ = answer.argmax(1).cpu(); }

DigitsCnnSize tiny_digits_classifier() {
  DigitsCnnSize size = tiny_digits_cnn();
  size.loader.batch_size = 8;
  return size;
}

std::unique_ptr<Workload> make_tiny_digits_classifier(const CaseContext& context) {
  return std::make_unique<DigitsClassifier>(context, with_params(tiny_digits_classifier(), context.params));
}

}  // namespace stepgate
