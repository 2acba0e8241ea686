#include "language/small_char_lm.h"

#include <algorithm>
#include <array>
#include <utility>

namespace stepgate {
namespace {

torch::optim::AdamWOptions small_char_lm_options() { return torch::optim::AdamWOptions(3e-3).weight_decay(0.1); }

torch::Tensor rows_of(const std::vector<std::int64_t>& symbols) {
  const auto length = static_cast<std::int64_t>(symbols.size()) / SmallCharLmSize::rows;
  const auto tensor = torch::empty({SmallCharLmSize::rows, length}, torch::kInt64);
  std::ranges::copy(symbols, tensor.mutable_data_ptr<std::int64_t>());
  return tensor;
}

torch::Tensor loss_of_rows(const std::vector<torch::Tensor>& weights, const Batch& batch) {
  const torch::Tensor symbols = torch::embedding(weights[0], batch.tensors[0]);
  const torch::Tensor normed = torch::layer_norm(symbols, {SmallCharLmSize::width}, weights[1], weights[2]);
  const torch::Tensor hidden = torch::gelu(torch::linear(normed, weights[3], weights[4]));
  const torch::Tensor logits = torch::linear(hidden, weights[5], weights[6]);
  return torch::cross_entropy_loss(logits.flatten(0, 1), batch.tensors[1].flatten());
}

std::vector<TextWindows> windows_of(const TextCorpus& corpus, std::uint64_t seed, const BatchLengthRhythm& lengths) {
  std::vector<TextWindows> windows;
  for (const std::int64_t length : lengths) {
    windows.emplace_back(corpus, TextWindows::Shape{.rows = SmallCharLmSize::rows, .length = length}, seed);
  }
  return windows;
}

/// By the names of export_char_lm.py.
PackageWeights named_weights(const std::vector<torch::Tensor>& parameters) {
  static constexpr std::array names = {"embedding", "norm_weight", "norm_bias", "weight_in",
                                       "bias_in",   "weight_out",  "bias_out"};
  PackageWeights weights;
  for (std::size_t i = 0; i < names.size(); ++i) weights[names[i]] = parameters.at(i);
  return weights;
}

}  // namespace

std::vector<torch::Tensor> small_char_lm_parameters() {
  const torch::nn::Embedding embedding(vocabulary_size, SmallCharLmSize::width);
  const torch::nn::LayerNorm norm(torch::nn::LayerNormOptions({SmallCharLmSize::width}));
  const torch::nn::Linear in(SmallCharLmSize::width, SmallCharLmSize::hidden);
  const torch::nn::Linear out(SmallCharLmSize::hidden, vocabulary_size);
  return {embedding->weight, norm->weight, norm->bias, in->weight, in->bias, out->weight, out->bias};
}

std::int64_t small_char_lm_step_flops(std::int64_t length) {
  const std::int64_t weights =
      SmallCharLmSize::width * SmallCharLmSize::hidden + SmallCharLmSize::hidden * vocabulary_size;
  return 6 * weights * SmallCharLmSize::rows * length;
}

SmallCharLmLoader::SmallCharLmLoader(const TextCorpus& corpus, std::uint64_t seed, const BatchLengthRhythm& lengths)
    : windows_(windows_of(corpus, seed, lengths)), lengths_(lengths), digest_(corpus.digest) {}

Batch SmallCharLmLoader::next_batch() {
  const auto turn = static_cast<std::size_t>(step_) % lengths_.size();
  const TextWindowBatch drawn = windows_[turn].at(step_++);
  const std::int64_t tokens = SmallCharLmSize::rows * lengths_[turn];
  return {.tensors = {rows_of(drawn.inputs), rows_of(drawn.targets)},
          .samples = SmallCharLmSize::rows,
          .padded_tokens = tokens,
          .effective_tokens = tokens,
          .flops = small_char_lm_step_flops(lengths_[turn])};
}

EagerCharLm::EagerCharLm(const CaseContext& context, const TextCorpus& corpus, const BatchLengthRhythm& lengths)
    : loader_(corpus, context.seed, lengths),
      parameters_(small_char_lm_parameters()),
      optimizer_(parameters_, small_char_lm_options()) {}

torch::Tensor EagerCharLm::forward(const Batch& batch) { return loss_of_rows(parameters_, batch); }

void EagerCharLm::optimizer_step() {
  optimizer_.step();
  optimizer_.zero_grad();
}

CompiledCharLm::CompiledCharLm(const TextCorpus& corpus, std::uint64_t seed, const std::filesystem::path& package)
    : loader_(corpus, seed, one_length), step_(package, small_char_lm_parameters()) {}

JointCharLm::JointCharLm(const TextCorpus& corpus, std::uint64_t seed, const std::filesystem::path& package)
    : loader_(corpus, seed, two_lengths),
      parameters_(small_char_lm_parameters()),
      optimizer_(parameters_, small_char_lm_options()),
      package_(package, named_weights(parameters_)) {}

torch::Tensor JointCharLm::step(const Batch& batch) {
  optimizer_.zero_grad();
  std::vector<torch::Tensor> outputs = package_.run(batch.tensors);
  for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i].mutable_grad() = std::move(outputs.at(i + 1));
  optimizer_.step();
  return outputs[0];
}

std::unique_ptr<Workload> make_compiled_char_lm(const CaseContext& context) {
  return std::make_unique<CompiledCharLm>(load_python_sources(context.data_dir), context.seed,
                                          package_folder(char_lm_package));
}

std::unique_ptr<Workload> make_eager_char_lm(const CaseContext& context) {
  return std::make_unique<EagerCharLm>(context, load_python_sources(context.data_dir));
}

std::unique_ptr<Workload> make_joint_char_lm(const CaseContext& context) {
  return std::make_unique<JointCharLm>(load_python_sources(context.data_dir), context.seed,
                                       package_folder(char_lm_gradients_package));
}

std::unique_ptr<Workload> make_eager_char_lm_of_two_lengths(const CaseContext& context) {
  return std::make_unique<EagerCharLm>(context, load_python_sources(context.data_dir), two_lengths);
}

}  // namespace stepgate
