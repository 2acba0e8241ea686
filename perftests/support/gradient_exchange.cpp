#include "support/gradient_exchange.h"

#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <stdexcept>
#include <utility>

namespace stepgate {

/// Runs on the thread of backward, after a parameter's gradient of this backward pass was accumulated.
class GradientExchange::GradientHook final : public torch::autograd::PostAccumulateGradHook {
 public:
  GradientHook(GradientExchange& exchange, std::size_t bucket, std::size_t slice)
      : exchange_(exchange), bucket_(bucket), slice_(slice) {}

  void operator()(const torch::autograd::Variable& /*parameter*/) override {
    if (!exchange_.open_) return;
    Bucket& bucket = exchange_.buckets_[bucket_];
    exchange_.take(bucket, bucket.slices[slice_]);
    if (exchange_.options_.overlap) exchange_.send_filled();
  }

 private:
  GradientExchange& exchange_;
  std::size_t bucket_;
  std::size_t slice_;
};

GradientExchange::GradientExchange(const std::vector<torch::Tensor>& parameters, RankGroup group,
                                   const ExchangeOptions& options)
    : group_(std::move(group)), options_(options) {
  if (parameters.empty()) throw std::invalid_argument("GradientExchange: there are no parameters");
  clock_ = make_exchange_clock(parameters.front().device());
  require_equal_on_ranks(parameters, group_);
  std::vector<torch::Tensor> filling;
  std::size_t bytes = 0;
  for (auto parameter = parameters.rbegin(); parameter != parameters.rend(); ++parameter) {
    if (!filling.empty() && filling.back().scalar_type() != parameter->scalar_type()) {
      add_bucket(std::exchange(filling, {}));
      bytes = 0;
    }
    filling.push_back(*parameter);
    bytes += parameter->nbytes();
    if (bytes < static_cast<std::size_t>(options_.bucket_bytes)) continue;
    add_bucket(std::exchange(filling, {}));
    bytes = 0;
  }
  if (!filling.empty()) add_bucket(filling);
}

GradientExchange::~GradientExchange() {
  for (const Bucket& bucket : buckets_) {
    for (const Slice& slice : bucket.slices) torch::autograd::impl::set_post_acc_grad_hooks(slice.parameter, nullptr);
  }
}

void GradientExchange::add_bucket(const std::vector<torch::Tensor>& parameters) {
  std::int64_t elements = 0;
  for (const torch::Tensor& parameter : parameters) elements += parameter.numel();
  Bucket bucket;
  bucket.flat = {torch::zeros({elements}, parameters.front().options().requires_grad(false))};
  std::int64_t offset = 0;
  for (const torch::Tensor& parameter : parameters) {
    // A separate tensor: Optimizer::zero_grad() refuses gradients that autograd knows to be views.
    const auto place = bucket.flat.front().narrow(0, offset, parameter.numel()).view(parameter.sizes()).tensor_data();
    torch::autograd::impl::set_post_acc_grad_hooks(
        parameter, std::make_unique<GradientHook>(*this, buckets_.size(), bucket.slices.size()));
    bucket.slices.push_back({.parameter = parameter, .place = place});
    offset += parameter.numel();
  }
  buckets_.push_back(std::move(bucket));
}

void GradientExchange::begin() {
  for (Bucket& bucket : buckets_) {
    bucket.filled = 0;
    bucket.work.reset();
    for (Slice& slice : bucket.slices) slice.filled = false;
  }
  sent_ = 0;
  clock_->starts();
  open_ = true;
}

void GradientExchange::take(Bucket& bucket, Slice& slice) {
  const torch::NoGradGuard no_grad;
  const torch::Tensor& gradient = slice.parameter.grad();
  // The gradient is in the bucket already if the last exchange put it there; this pass accumulated into it.
  if (!gradient.is_alias_of(slice.place)) slice.place.copy_(gradient);
  bucket.filled += slice.filled ? 0 : 1;
  slice.filled = true;
}

void GradientExchange::send_filled() {
  while (sent_ < buckets_.size() && buckets_[sent_].filled == buckets_[sent_].slices.size()) send(buckets_[sent_]);
}

void GradientExchange::send(Bucket& bucket) {
  bucket.work = start_sum(*group_, bucket.flat);
  clock_->begun(*bucket.work);
  ++sent_;
}

void GradientExchange::finish() {
  open_ = false;
  const torch::NoGradGuard no_grad;
  for (std::size_t i = sent_; i < buckets_.size(); ++i) {
    for (Slice& slice : buckets_[i].slices) {
      if (slice.filled) continue;
      if (slice.parameter.grad().defined()) {
        take(buckets_[i], slice);  // its gradient is from an earlier pass
      } else {
        slice.place.zero_();
      }
    }
    send(buckets_[i]);
  }
  clock_->waits();
  for (Bucket& bucket : buckets_) wait_for_ranks(*bucket.work);
  clock_->waited();
  for (Bucket& bucket : buckets_) {
    bucket.flat.front().div_(group_->getSize());
    for (Slice& slice : bucket.slices) slice.parameter.mutable_grad() = slice.place;
  }
}

}  // namespace stepgate
