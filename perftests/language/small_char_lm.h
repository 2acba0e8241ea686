// A character model of two linear layers, with one batch shape: small enough to be compiled ahead of time in a minute.
// language/export_char_lm.py writes the same step in Python, and has the same numbers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "stepgate/whole_step_workload.h"
#include "stepgate/workload.h"
#include "support/compiled_package.h"
#include "support/text_windows.h"

namespace stepgate {

struct SmallCharLmSize {
  static constexpr std::int64_t rows = 8;
  static constexpr std::int64_t length = 64;
  static constexpr std::int64_t width = 128;
  static constexpr std::int64_t hidden = 512;
};

/// Embedding; weight and bias of the layer norm, of the first and of the second linear layer. As LibTorch initialises
/// them, from its global generator. float32.
std::vector<torch::Tensor> small_char_lm_parameters();

/// Model FLOPs of a step: six for each weight of a product and each token.
std::int64_t small_char_lm_step_flops();

/// Its batches as the harness takes them: inputs and targets, int64, rows x length.
class SmallCharLmLoader {
 public:
  SmallCharLmLoader(const TextCorpus& corpus, std::uint64_t seed);
  Batch next_batch();
  const std::string& digest() const { return digest_; }

 private:
  TextWindows windows_;
  std::string digest_;
  std::int64_t step_ = 0;
};

/// The step in LibTorch's operators, with torch::optim::AdamW: the twin of CompiledCharLm.
class EagerCharLm final : public Workload {
 public:
  EagerCharLm(const CaseContext& context, const TextCorpus& corpus);
  Batch next_batch() override { return loader_.next_batch(); }
  torch::Tensor forward(const Batch& batch) override;
  void optimizer_step() override;
  std::vector<torch::Tensor> parameters() const override { return parameters_; }
  std::string data_digest() const override { return loader_.digest(); }

 private:
  SmallCharLmLoader loader_;
  std::vector<torch::Tensor> parameters_;
  torch::optim::AdamW optimizer_;
};

/// The step as one call into a package that was compiled ahead of time. The first call loads the package, so that
/// `first_step_ns` has the whole cold start.
class CompiledCharLm final : public WholeStepWorkload {
 public:
  /// Throws std::runtime_error where there is no package in `package`.
  CompiledCharLm(const TextCorpus& corpus, std::uint64_t seed, const std::filesystem::path& package);
  Batch next_batch() override { return loader_.next_batch(); }
  torch::Tensor step(const Batch& batch) override;
  bool hides_operators() const override { return true; }
  std::vector<torch::Tensor> parameters() const override;
  /// Of the text and of the package: another package is another case.
  std::string data_digest() const override { return loader_.digest() + "+" + package_.facts().digest; }

 private:
  SmallCharLmLoader loader_;
  CompiledPackage package_;
  std::vector<torch::Tensor> tensors_;  ///< parameters, both moments, number of the step, inputs, targets
};

/// Of the package in stepgate's cache.
inline constexpr const char* char_lm_package = "char_lm_tiny";

std::unique_ptr<Workload> make_compiled_char_lm(const CaseContext& context);
std::unique_ptr<Workload> make_eager_char_lm(const CaseContext& context);

}  // namespace stepgate
