// A character model of two linear layers: small enough to be compiled ahead of time in a minute. Either its whole step
// for one batch shape, or forward and backward for batches of any length. language/export_char_lm.py writes both in
// Python, and has the same numbers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiled/packaged_step.h"
#include "stepgate/whole_step_workload.h"
#include "stepgate/workload.h"
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
std::int64_t small_char_lm_step_flops(std::int64_t length);

/// The lengths of the batches, in turn.
using BatchLengthRhythm = std::vector<std::int64_t>;
inline const BatchLengthRhythm one_length = {SmallCharLmSize::length};
/// For code that takes any length. The second one is no multiple of a vector, so that loops have a rest.
inline const BatchLengthRhythm two_lengths = {SmallCharLmSize::length, 37};

/// Its batches as the harness takes them: inputs and targets, int64, rows x length.
class SmallCharLmLoader {
 public:
  SmallCharLmLoader(const TextCorpus& corpus, std::uint64_t seed, const BatchLengthRhythm& lengths);
  Batch next_batch();
  const std::string& digest() const { return digest_; }

 private:
  std::vector<TextWindows> windows_;  ///< one for each length
  BatchLengthRhythm lengths_;
  std::string digest_;
  std::int64_t step_ = 0;
};

/// The step in LibTorch's operators, with torch::optim::AdamW: the twin of CompiledCharLm, and with two lengths that of
/// JointCharLm.
class EagerCharLm final : public Workload {
 public:
  EagerCharLm(const CaseContext& context, const TextCorpus& corpus, const BatchLengthRhythm& lengths = one_length);
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
  torch::Tensor step(const Batch& batch) override { return step_.run(batch.tensors); }
  bool hides_operators() const override { return true; }
  std::optional<std::int64_t> compile_seconds() const override { return step_.facts().seconds; }
  std::vector<torch::Tensor> parameters() const override { return step_.parameters(); }
  /// Of the text and of the package: another package is another case.
  std::string data_digest() const override { return loader_.digest() + "+" + step_.facts().digest; }

 private:
  SmallCharLmLoader loader_;
  PackagedStep step_;
};

/// Forward and backward as one call into a package for batches of any length; torch::optim::AdamW updates the
/// parameters, which the package reads where they are. Its gradients stay until the next step.
class JointCharLm final : public WholeStepWorkload {
 public:
  /// Throws std::runtime_error where there is no package in `package`.
  JointCharLm(const TextCorpus& corpus, std::uint64_t seed, const std::filesystem::path& package);
  Batch next_batch() override { return loader_.next_batch(); }
  torch::Tensor step(const Batch& batch) override;
  bool hides_operators() const override { return true; }
  std::optional<std::int64_t> compile_seconds() const override { return package_.facts().seconds; }
  std::vector<torch::Tensor> parameters() const override { return parameters_; }
  std::string data_digest() const override { return loader_.digest() + "+" + package_.facts().digest; }

 private:
  SmallCharLmLoader loader_;
  std::vector<torch::Tensor> parameters_;
  torch::optim::AdamW optimizer_;
  CompiledPackage package_;
};

/// Of the packages in stepgate's cache.
inline constexpr const char* char_lm_package = "char_lm_tiny";
inline constexpr const char* char_lm_gradients_package = "char_lm_gradients";

std::unique_ptr<Workload> make_compiled_char_lm(const CaseContext& context);
std::unique_ptr<Workload> make_eager_char_lm(const CaseContext& context);
std::unique_ptr<Workload> make_joint_char_lm(const CaseContext& context);
/// The eager twin with the lengths of make_joint_char_lm().
std::unique_ptr<Workload> make_eager_char_lm_of_two_lengths(const CaseContext& context);

}  // namespace stepgate
