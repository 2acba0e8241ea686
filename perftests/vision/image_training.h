// The common part of the vision workloads: a convolution network learns labelled images with SGD and momentum. A
// workload supplies the samples as a separate object, which its loader threads share.
#pragma once

#include <memory>
#include <vector>

#include "stepgate/workload.h"
#include "support/image_loader.h"
#include "vision/conv_net.h"

namespace stepgate {

/// Batches carry two tensors: images rows x channels x height x width float32, labels rows int64. Its parts are virtual
/// so that a test can replace one at a time with a faulty one.
class ImageTraining : public Workload {
 public:
  Batch next_batch() override;
  torch::Tensor forward(const Batch& batch) override;
  void optimizer_step() override;
  void log_step(std::int64_t step, const torch::Tensor& loss) override;
  std::vector<torch::Tensor> parameters() const override { return parameters_; }

 protected:
  struct Training {
    ConvNetSize net;
    LoaderShape loader;
    double learning_rate = 0.05;  ///< the loss of digits falls from 2.3 to 1.6 in 20 steps
  };
  ImageTraining(const CaseContext& context, const Training& training);

  std::uint64_t seed() const { return seed_; }

  /// The samples for the loader's threads, made at the first next_batch(). The threads share them and outlive the
  /// workload's other members.
  virtual std::shared_ptr<const ImageSamples> make_samples() const = 0;
  /// Used at the first next_batch(). No workers if the context requests a synchronous loader; pinned memory on CUDA
  /// only.
  virtual LoaderShape loader_shape() const { return loader_shape_; }

  /// images -> rows x classes.
  virtual torch::Tensor logits(const torch::Tensor& images);
  /// Mean cross entropy.
  virtual torch::Tensor loss_of(const torch::Tensor& logits, const torch::Tensor& labels);
  virtual void zero_gradients();

 private:
  std::uint64_t seed_;
  ConvNetSize net_;
  torch::DeviceType device_type_;
  bool autocast_;
  LoaderShape loader_shape_;
  ConvNet model_;
  std::vector<torch::Tensor> parameters_;
  torch::optim::SGD optimizer_;
  torch::Tensor loss_sum_;  ///< on the device since the last report, so that logging never waits for it
  std::unique_ptr<ImageLoader> loader_;
};

}  // namespace stepgate
