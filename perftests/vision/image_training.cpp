#include "vision/image_training.h"

#include "stepgate/autocast.h"
#include "vision/conv_net_flops.h"

namespace stepgate {
namespace {

constexpr double momentum = 0.9;
constexpr double weight_decay = 5e-4;

ConvNet model_on(const torch::Device& device, const ConvNetSize& size) {
  ConvNet model(size);  // on the host, so that a seed gives the same weights on every device
  model->to(device);
  return model;
}

LoaderShape possible_here(LoaderShape shape, const CaseContext& context) {
  if (context.synchronous_loader) shape.workers = 0;
  if (!context.device.is_cuda()) shape.pinned = 0;
  return shape;
}

}  // namespace

ImageTraining::ImageTraining(const CaseContext& context, const Training& training)
    : seed_(context.seed),
      net_(training.net),
      device_type_(context.device.type()),
      autocast_(asks_for_autocast(context.dtype)),
      loader_shape_(possible_here(training.loader, context)),
      model_(model_on(context.device, training.net)),
      parameters_(model_->parameters()),
      optimizer_(parameters_,
                 torch::optim::SGDOptions(training.learning_rate).momentum(momentum).weight_decay(weight_decay)),
      loss_sum_(torch::zeros({}, context.device)) {}

Batch ImageTraining::next_batch() {
  if (!loader_) loader_ = std::make_unique<ImageLoader>(make_samples(), loader_shape(), seed_);
  Batch batch = loader_->next();
  const torch::Tensor& images = batch.tensors[0];
  batch.flops = conv_net_step_flops(net_, images.size(0), images.size(2), images.size(3));
  return batch;
}

torch::Tensor ImageTraining::forward(const Batch& batch) {
  const Autocast autocast(device_type_, autocast_);
  return loss_of(logits(batch.tensors[0]), batch.tensors[1]);
}

torch::Tensor ImageTraining::logits(const torch::Tensor& images) { return model_->forward(images); }

torch::Tensor ImageTraining::loss_of(const torch::Tensor& logits, const torch::Tensor& labels) {
  return torch::cross_entropy_loss(logits, labels);
}

void ImageTraining::optimizer_step() {
  optimizer_.step();
  zero_gradients();
}

void ImageTraining::zero_gradients() { optimizer_.zero_grad(); }

void ImageTraining::log_step(std::int64_t /*step*/, const torch::Tensor& loss) { loss_sum_.add_(loss.detach()); }

}  // namespace stepgate
