// The convolution network of digits_cnn answers: it says which digits a few images show. Guards the parts of
// classification: images that are read and made a batch, one forward pass, and labels that are read back.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "stepgate/inference_workload.h"
#include "support/image_loader.h"
#include "vision/conv_net.h"
#include "vision/digit_samples.h"
#include "vision/digits_cnn_size.h"

namespace stepgate {

/// Requests carry one tensor, images rows x 1 x side x side float32. The answer is logits, rows x classes.
class DigitsClassifier : public InferenceWorkload {
 public:
  /// Unpacks the images of context.data_dir into the cache if they are not there. Throws DataError.
  DigitsClassifier(const CaseContext& context, const DigitsCnnSize& size);
  /// The same with opened images.
  DigitsClassifier(const CaseContext& context, const DigitsCnnSize& size, const DigitData& data);

  Batch next_batch() override;
  torch::Tensor infer(const Batch& batch) override;
  void post(const torch::Tensor& answer) override;
  std::vector<TrainingModule> training_modules() const override { return stepgate::training_modules(*model_); }
  std::vector<torch::Tensor> parameters() const override { return model_->parameters(); }
  std::string data_digest() const override { return data_digest_; }

  /// The digits of the last answer, int64.
  const torch::Tensor& labels() const { return labels_; }

 private:
  std::string data_digest_;
  ConvNet model_;
  torch::Tensor labels_;
  std::unique_ptr<ImageLoader> loader_;
};

/// `vision/digits_cnn_classify/tiny`: eight images a request, about 1 ms on one CPU thread.
DigitsCnnSize tiny_digits_classifier();

/// Its workload; parameters in the context override the size's own.
std::unique_ptr<Workload> make_tiny_digits_classifier(const CaseContext& context);

}  // namespace stepgate
