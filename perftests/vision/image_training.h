// What the vision workloads share: a convolution network learns labelled images with SGD and momentum. A workload says
// what its samples are; what its loader threads call lives in an object of its own, which they share.
#pragma once

#include <memory>
#include <vector>

#include "stepgate/workload.h"
#include "support/image_loader.h"
#include "vision/conv_net.h"

namespace stepgate {

/// Batches carry two tensors: images rows x channels x height x width float32, labels rows int64. Its parts are virtual
/// so that a test can spoil one at a time.
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
    double learning_rate = 0.05;  ///< digits fall from 2.3 to 1.6 in 20 steps
  };
  ImageTraining(const CaseContext& context, const Training& training);

  std::uint64_t seed() const { return seed_; }

  /// What the loader's threads call, made at the first next_batch(): they share it and outlive a workload's own parts.
  virtual std::shared_ptr<const ImageSamples> make_samples() const = 0;
  /// Asked for at the first next_batch(). No workers where the context asks for a synchronous loader, pinned memory on
  /// CUDA only.
  virtual LoaderShape loader_shape() const { return loader_shape_; }

  /// images -> rows x classes.
  virtual torch::Tensor logits(const torch::Tensor& images);
  /// Mean cross entropy.
  virtual torch::Tensor loss_of(const torch::Tensor& logits, const torch::Tensor& labels);
  virtual void zero_gradients();

 private:
  std::uint64_t seed_;
  LoaderShape loader_shape_;
  ConvNet model_;
  std::vector<torch::Tensor> parameters_;
  torch::optim::SGD optimizer_;
  torch::Tensor loss_sum_;  ///< on the device since the last report, so that logging never waits for it
  std::unique_ptr<ImageLoader> loader_;
};

}  // namespace stepgate
