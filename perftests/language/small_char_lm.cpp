#include "language/small_char_lm.h"

#include <algorithm>

namespace stepgate {
namespace {

torch::optim::AdamWOptions small_char_lm_options() { return torch::optim::AdamWOptions(3e-3).weight_decay(0.1); }

torch::Tensor rows_of(const std::vector<std::int64_t>& symbols) {
  const auto tensor = torch::empty({SmallCharLmSize::rows, SmallCharLmSize::length}, torch::kInt64);
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

}  // namespace

std::vector<torch::Tensor> small_char_lm_parameters() {
  const torch::nn::Embedding embedding(vocabulary_size, SmallCharLmSize::width);
  const torch::nn::LayerNorm norm(torch::nn::LayerNormOptions({SmallCharLmSize::width}));
  const torch::nn::Linear in(SmallCharLmSize::width, SmallCharLmSize::hidden);
  const torch::nn::Linear out(SmallCharLmSize::hidden, vocabulary_size);
  return {embedding->weight, norm->weight, norm->bias, in->weight, in->bias, out->weight, out->bias};
}

std::int64_t small_char_lm_step_flops() {
  const std::int64_t weights =
      SmallCharLmSize::width * SmallCharLmSize::hidden + SmallCharLmSize::hidden * vocabulary_size;
  return 6 * weights * SmallCharLmSize::rows * SmallCharLmSize::length;
}

SmallCharLmLoader::SmallCharLmLoader(const TextCorpus& corpus, std::uint64_t seed)
    : windows_(corpus, {.rows = SmallCharLmSize::rows, .length = SmallCharLmSize::length}, seed),
      digest_(corpus.digest) {}

Batch SmallCharLmLoader::next_batch() {
  const TextWindowBatch drawn = windows_.at(step_++);
  return {.tensors = {rows_of(drawn.inputs), rows_of(drawn.targets)},
          .samples = SmallCharLmSize::rows,
          .padded_tokens = SmallCharLmSize::rows * SmallCharLmSize::length,
          .effective_tokens = SmallCharLmSize::rows * SmallCharLmSize::length,
          .flops = small_char_lm_step_flops()};
}

EagerCharLm::EagerCharLm(const CaseContext& context, const TextCorpus& corpus)
    : loader_(corpus, context.seed),
      parameters_(small_char_lm_parameters()),
      optimizer_(parameters_, small_char_lm_options()) {}

torch::Tensor EagerCharLm::forward(const Batch& batch) { return loss_of_rows(parameters_, batch); }

void EagerCharLm::optimizer_step() {
  optimizer_.step();
  optimizer_.zero_grad();
}

CompiledCharLm::CompiledCharLm(const TextCorpus& corpus, std::uint64_t seed, const std::filesystem::path& package)
    : loader_(corpus, seed), package_(package) {
  const std::vector<torch::Tensor> initial = small_char_lm_parameters();
  for (const torch::Tensor& parameter : initial) tensors_.push_back(parameter.detach());
  for (int moment = 0; moment < 2; ++moment) {
    for (const torch::Tensor& parameter : initial) tensors_.push_back(torch::zeros_like(parameter.detach()));
  }
  tensors_.push_back(torch::zeros({}));
  tensors_.resize(tensors_.size() + 2);
}

torch::Tensor CompiledCharLm::step(const Batch& batch) {
  std::copy(batch.tensors.begin(), batch.tensors.end(), tensors_.end() - 2);
  return package_.run(tensors_).at(0);
}

std::vector<torch::Tensor> CompiledCharLm::parameters() const {
  const std::size_t count = (tensors_.size() - 3) / 3;
  return {tensors_.begin(), tensors_.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::unique_ptr<Workload> make_compiled_char_lm(const CaseContext& context) {
  return std::make_unique<CompiledCharLm>(load_python_sources(context.data_dir), context.seed,
                                          package_folder(char_lm_package));
}

std::unique_ptr<Workload> make_eager_char_lm(const CaseContext& context) {
  return std::make_unique<EagerCharLm>(context, load_python_sources(context.data_dir));
}

}  // namespace stepgate
