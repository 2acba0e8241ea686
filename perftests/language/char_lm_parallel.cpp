#include "language/char_lm_parallel.h"

#include "language/transformer_flops.h"

namespace stepgate {
namespace {

RankGroup group_of(const CaseContext& context) { return context.ranks > 1 ? join_ranks(context) : RankGroup(); }

}  // namespace

CharLmParallel::CharLmParallel(const CaseContext& context, const CharLmParallelSize& size)
    : CharLmParallel(context, size, load_python_sources(context.data_dir), group_of(context)) {}

CharLmParallel::CharLmParallel(const CaseContext& context, const CharLmParallelSize& size, const TextCorpus& corpus,
                               RankGroup group)
    : CharLm(context, size.model, corpus),
      size_(size),
      rank_(context.rank),
      ranks_(context.ranks),
      rows_(rows_per_micro_step(size, context.ranks)),
      group_(std::move(group)) {
  if (group_) exchange_.emplace(parameters(), group_, size_.exchange);
}

Batch CharLmParallel::next_batch() {
  const std::int64_t step = step_++;
  loss_scale_ = static_cast<double>(ranks_) / static_cast<double>(batches().effective_tokens_at(step));
  Batch batch;
  for (std::int64_t micro = 0; micro < size_.micro_steps; ++micro) {
    const std::int64_t first = (rank_ * size_.micro_steps + micro) * rows_;
    const TokenBatch drawn = batches().rows_at(step, {.first = first, .count = rows_});
    batch.tensors.push_back(host_tensor(drawn.inputs, drawn.rows));
    batch.tensors.push_back(host_tensor(drawn.targets, drawn.rows));
    batch.samples += drawn.rows;
    batch.padded_tokens += drawn.rows * drawn.length;
    batch.effective_tokens += drawn.effective_tokens;
    batch.flops += transformer_step_flops(size_.model, drawn.rows, drawn.length);
  }
  return batch;
}

torch::Tensor CharLmParallel::forward(const Batch& batch) {
  const Autocast scope = autocast();
  if (exchange_) exchange_->new_step();
  losses_.clear();
  for (std::size_t i = 0; i < batch.tensors.size(); i += 2) {
    const torch::Tensor sum =
        torch::cross_entropy_loss(logits(batch.tensors[i]).flatten(0, 1), batch.tensors[i + 1].flatten(), /*weight=*/{},
                                  at::Reduction::Sum, ignored_target);
    losses_.push_back(sum * loss_scale_);
  }
  return losses_.size() == 1 ? losses_.front() : torch::stack(losses_).sum();
}

void CharLmParallel::backward(const torch::Tensor& /*loss*/) {
  for (std::size_t i = 0; i < losses_.size(); ++i) {
    const bool exchanges = exchange_ && exchanges_ && (size_.sync_each || i + 1 == losses_.size());
    if (exchanges) exchange_->begin();
    losses_[i].backward();
    if (exchanges) exchange_->finish();
  }
  losses_.clear();
}

std::optional<Communication> CharLmParallel::communication() const {
  return exchange_ ? exchange_->last() : std::nullopt;
}

void CharLmParallel::set_exchange(bool on) {
  exchanges_ = on;
  if (on && group_) wait_for_ranks(*group_->barrier());
}

std::unique_ptr<Workload> make_tiny_char_lm_parallel(const CaseContext& context) {
  return std::make_unique<CharLmParallel>(context, with_params(tiny_char_lm_parallel(), context.params));
}

std::unique_ptr<Workload> make_full_char_lm_parallel(const CaseContext& context) {
  return std::make_unique<CharLmParallel>(context, with_params(full_char_lm_parallel(), context.params));
}

std::unique_ptr<Workload> make_gpu_small_char_lm_parallel(const CaseContext& context) {
  return std::make_unique<CharLmParallel>(context, with_params(gpu_small_char_lm_parallel(), context.params));
}

}  // namespace stepgate
