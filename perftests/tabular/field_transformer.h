// A transformer over the fields of a table learns handwritten digits. It has two models and two loaders that give the
// same losses at very different cost: the case study of docs/case_studies.md. The guarded case is the good one of both.
#pragma once

#include <memory>
#include <vector>

#include "stepgate/autocast.h"
#include "stepgate/workload.h"
#include "tabular/field_loader.h"
#include "tabular/field_network.h"
#include "tabular/field_transformer_size.h"

namespace stepgate {

/// Batches carry two tensors: levels rows x field_count int64, labels rows int64.
class FieldTransformer : public Workload {
 public:
  /// Unpacks the digits of context.data_dir into the cache if they are not there. Throws DataError.
  FieldTransformer(const CaseContext& context, const FieldTransformerSize& size);
  /// The same with opened rows.
  FieldTransformer(const CaseContext& context, const FieldTransformerSize& size, FieldTable table);

  Batch next_batch() override { return loader_.next(); }
  torch::Tensor forward(const Batch& batch) override;
  void optimizer_step() override;
  void log_step(std::int64_t step, const torch::Tensor& loss) override;
  std::vector<torch::Tensor> parameters() const override { return parameters_; }
  std::string data_digest() const override { return loader_.digest(); }

 private:
  torch::DeviceType device_type_;
  bool autocast_;
  FieldLoader loader_;
  FieldNetwork model_;
  std::vector<torch::Tensor> parameters_;
  torch::optim::AdamW optimizer_;
  torch::Tensor loss_sum_;  ///< on the device since the last report, so that logging never waits for it
};

/// Workload factories of the cases; parameters in the context override the size's own. The tiny one takes "step" too:
/// eager, the default, or compiled (compiled_field_transformer.h).
std::unique_ptr<Workload> make_tiny_field_transformer(const CaseContext& context);
std::unique_ptr<Workload> make_full_field_transformer(const CaseContext& context);

}  // namespace stepgate
