#include "language/char_lm.h"

#include <algorithm>
#include <stdexcept>

#include "language/transformer_flops.h"
#include "support/clip_gradients.h"

namespace stepgate {
namespace {

// A usual rate for models of this size: the loss of `tiny` falls from 4.51 to 2.95 in its first 20 steps.
constexpr double learning_rate = 3e-3;
constexpr double weight_decay = 0.1;
constexpr double max_gradient_norm = 1.0;
#ifdef STEPGATE_FUSED_ADAMW
constexpr CharLmOptimizer usual_optimizer = CharLmOptimizer::fused;
#else
constexpr CharLmOptimizer usual_optimizer = CharLmOptimizer::adamw;
#endif

torch::optim::AdamWOptions optimizer_options() {
  return torch::optim::AdamWOptions(learning_rate).weight_decay(weight_decay);
}

Transformer model_on(const torch::Device& device, const CharLmSize& size) {
  Transformer model(size);  // on the host, so that a seed gives the same weights on every device
  model->to(device);
  return model;
}

std::unique_ptr<CharLm> make_char_lm(const CaseContext& context, const CharLmSize& size) {
  std::map<std::string, std::string> params = context.params;
  const CharLmOptimizer optimizer = take_optimizer(params);
  const bool scaled = take_scaler(params);
  auto workload = std::make_unique<CharLm>(context, with_params(size, params));
  if (scaled) workload->scale_loss();
  if (optimizer == CharLmOptimizer::fused) workload->fuse_optimizer();
  return workload;
}

}  // namespace

CharLmOptimizer take_optimizer(std::map<std::string, std::string>& params) {
  const auto given = params.extract("optimizer");
  if (given.empty()) return usual_optimizer;
  if (given.mapped() == "adamw") return CharLmOptimizer::adamw;
  if (given.mapped() == "fused") return CharLmOptimizer::fused;
  throw std::invalid_argument("char_lm: optimizer=" + given.mapped() + ": not adamw or fused");
}

bool take_scaler(std::map<std::string, std::string>& params) {
  const auto given = params.extract("scaler");
  if (given.empty() || given.mapped() == "off") return false;
  if (given.mapped() == "on") return true;
  throw std::invalid_argument("char_lm: scaler=" + given.mapped() + ": not on or off");
}

CharLm::CharLm(const CaseContext& context, const CharLmSize& size)
    : CharLm(context, size, load_python_sources(context.data_dir)) {}

CharLm::CharLm(const CaseContext& context, const CharLmSize& size, const TextCorpus& corpus)
    : size_(size),
      device_(context.device),
      autocast_(asks_for_autocast(context.dtype)),
      data_digest_(corpus.digest),
      batches_(corpus, size.batch, context.seed),
      model_(model_on(context.device, size)),
      parameters_(model_->parameters()),
      optimizer_(parameters_, optimizer_options()),
      loss_sum_(torch::zeros({}, context.device)) {}

torch::Tensor CharLm::host_tensor(const std::vector<std::int64_t>& symbols, std::int64_t rows) const {
  const auto options = torch::TensorOptions().dtype(torch::kInt64).pinned_memory(device_.is_cuda());
  const auto tensor = host_batch({rows, std::ssize(symbols) / rows}, rows * size_.batch.max_length, options);
  std::ranges::copy(symbols, tensor.mutable_data_ptr<std::int64_t>());
  return tensor;
}

Batch CharLm::next_batch() {
  const TokenBatch drawn = batches_.at(step_++);
  Batch batch;
  batch.tensors = {host_tensor(drawn.inputs, drawn.rows), host_tensor(drawn.targets, drawn.rows)};
  batch.samples = drawn.rows;
  batch.padded_tokens = drawn.rows * drawn.length;
  batch.effective_tokens = drawn.effective_tokens;
  batch.flops = transformer_step_flops(size_, drawn.rows, drawn.length);
  return batch;
}

torch::Tensor CharLm::forward(const Batch& batch) {
  const Autocast scope = autocast();
  return loss_of(logits(batch.tensors[0]), batch.tensors[1]);
}

torch::Tensor CharLm::logits(const torch::Tensor& inputs) { return model_->forward(inputs); }

torch::Tensor CharLm::loss_of(const torch::Tensor& logits, const torch::Tensor& targets) {
  return torch::cross_entropy_loss(logits.flatten(0, 1), targets.flatten(), /*weight=*/{}, at::Reduction::Mean,
                                   ignored_target);
}

void CharLm::optimizer_step() {
  if (scaler_) return scaled_step();
  clip_gradients(parameters_, max_gradient_norm);
  fused_ ? fused_->step() : static_cast<void>(optimizer_.step());
  zero_gradients();
}

void CharLm::backward(const torch::Tensor& loss) { (scaler_ ? scaler_->scale(loss) : loss).backward(); }

/// Clipping reads true gradients, so they are unscaled before it.
void CharLm::scaled_step() {
  fused_ ? scaler_->unscale_for(*fused_) : scaler_->unscale_(optimizer_);
  clip_gradients(parameters_, max_gradient_norm);
  fused_ ? scaler_->step_fused(*fused_) : static_cast<void>(scaler_->step(optimizer_));
  scaler_->update();
  zero_gradients();
}

std::optional<LossScaling> CharLm::loss_scaling() const {
  if (!scaler_) return std::nullopt;
  return LossScaling{.scale = scaler_->get_scale(), .skipped_steps = scaler_->skipped_steps()};
}

void CharLm::scale_loss() { scaler_.emplace(); }

void CharLm::fuse_optimizer() { fused_.emplace(parameters_, optimizer_options()); }

void CharLm::zero_gradients() { optimizer_.zero_grad(); }

void CharLm::log_step(std::int64_t /*step*/, const torch::Tensor& loss) { loss_sum_.add_(loss.detach()); }

std::unique_ptr<Workload> make_tiny_char_lm(const CaseContext& context) {
  return make_char_lm(context, tiny_char_lm());
}

std::unique_ptr<Workload> make_tiny_char_lm_checkpoint(const CaseContext& context) {
  auto workload = make_char_lm(context, tiny_char_lm());
  workload->checkpoint_blocks();
  return workload;
}

std::unique_ptr<Workload> make_bucketed_char_lm(const CaseContext& context) {
  CharLmSize size = tiny_char_lm();
  size.batch.lengths = BatchLengths::rounded;
  return make_char_lm(context, size);
}

std::unique_ptr<Workload> make_unbucketed_char_lm(const CaseContext& context) {
  CharLmSize size = tiny_char_lm();
  size.batch.lengths = BatchLengths::longest;
  return make_char_lm(context, size);
}

std::unique_ptr<Workload> make_full_char_lm(const CaseContext& context) {
  return make_char_lm(context, full_char_lm());
}

std::unique_ptr<Workload> make_gpu_small_char_lm(const CaseContext& context) {
  return make_char_lm(context, gpu_small_char_lm());
}

}  // namespace stepgate
