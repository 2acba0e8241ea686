#include "measure/step/torch_step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "measure/device/work/operators/observed_operands.h"
#include "system/fnv_hash.h"

namespace stepgate {
namespace {

BatchInfo info_of(const Batch& batch) {
  BatchInfo info;
  info.samples = batch.samples;
  info.padded_tokens = batch.padded_tokens;
  info.effective_tokens = batch.effective_tokens;
  info.flops = batch.flops;
  info.h2d_copies = static_cast<std::int64_t>(batch.tensors.size());
  for (const torch::Tensor& tensor : batch.tensors) info.h2d_bytes += static_cast<std::int64_t>(tensor.nbytes());
  info.shape = shape_hash(batch.tensors);
  return info;
}

std::int64_t pageable_tensors(const Batch& batch) {
  std::int64_t count = 0;
  // A copy of a tensor with gaps first puts its elements together, in pageable memory.
  for (const torch::Tensor& tensor : batch.tensors) {
    count += tensor.is_pinned() && tensor.is_non_overlapping_and_dense() ? 0 : 1;
  }
  return count;
}

}  // namespace

std::uint64_t shape_hash(at::TensorList tensors) {
  FnvHash hash;
  for (const torch::Tensor& tensor : tensors) {
    hash.add_word(static_cast<std::uint64_t>(tensor.scalar_type()));
    hash.add_word(static_cast<std::uint64_t>(tensor.dim()));
    for (const std::int64_t size : tensor.sizes()) hash.add_word(static_cast<std::uint64_t>(size));
  }
  return hash.value();
}

std::string sizes_text(at::TensorList tensors) {
  std::string text;
  for (const torch::Tensor& tensor : tensors) {
    text += fmt::format("{}{}[{}]", text.empty() ? "" : ", ", dtype_name(tensor.scalar_type()),
                        fmt::join(tensor.sizes().begin(), tensor.sizes().end(), ", "));
  }
  return text;
}

TorchStep::TorchStep(Workload& workload, BatchCopier& copier, StepBoundaries boundaries)
    : workload_(workload), copier_(copier), boundaries_(std::move(boundaries)) {
  for (const Boundary boundary : boundaries_.order()) {
    if (is_own(boundary)) name_place(boundary, boundaries_.name(boundary));
  }
}

void TorchStep::run(Boundary boundary, std::int64_t step) {
  enter_boundary(boundary);
  switch (boundary) {
    case Boundary::data_wait:
      return load(step);
    case Boundary::h2d:
      return copy_to_device();
    case Boundary::forward:
      return forward();
    case Boundary::backward:
      return workload_.backward(loss_);
    case Boundary::optimizer:
      return optimizer_step();
    case Boundary::logging:
      return log(step);
  }
}

void TorchStep::load(std::int64_t step) {
  if (resident_ && loaded_) return;
  if (kept_ == KeptBatches::none) {
    host_ = workload_.next_batch();
  } else {
    const std::vector<Batch>& batches = kept_batches_.at(kept_);
    host_ = batches[static_cast<std::size_t>(step) % batches.size()];
  }
  loaded_ = true;
  on_device_ = false;
}

void TorchStep::copy_to_device() {
  if (resident_ && on_device_) return;
  device_.tensors = kept_ == KeptBatches::on_device ? host_.tensors : copier_.copy(host_.tensors);
  device_.samples = host_.samples;
  device_.padded_tokens = host_.padded_tokens;
  device_.effective_tokens = host_.effective_tokens;
  device_.flops = host_.flops;
  on_device_ = true;
}

void TorchStep::forward() {
  loss_ = workload_.forward(device_);
  require_trainable(loss_, "Workload::forward returned");
}

void TorchStep::optimizer_step() {
  if (optimizer_instead_) return optimizer_instead_();
  workload_.optimizer_step();
}

void TorchStep::keep_batches(KeptBatches kept, std::int64_t count) {
  std::vector<Batch> batches;
  bool one_shape = true;
  for (std::int64_t i = 0; i < count; ++i) {
    Batch batch = workload_.next_batch();
    if (i > 0 && shape_hash(batch.tensors) != shape_hash(batches.front().tensors)) one_shape = false;
    if (kept == KeptBatches::on_device) {
      batch.tensors = copier_.copy(batch.tensors);
      // The copier uses its buffers again.
      for (torch::Tensor& tensor : batch.tensors) tensor = tensor.clone();
      copier_.step_enqueued();
    }
    batches.push_back(std::move(batch));
  }
  if (one_shape) batches.resize(1);
  kept_batches_[kept] = std::move(batches);
}

void TorchStep::log(std::int64_t step) {
  if (!logging_) return;
  if (graphs_) graphs_->before_logging(loss_);
  workload_.log_step(step, loss_);
  if (graphs_) graphs_->after_logging(loss_);
}

StepFacts TorchStep::facts(const PassSeen& /*seen*/) const {
  return {.data_digest = workload_.data_digest(), .kept_tensors = kept_tensors()};
}

BatchInfo TorchStep::batch_info() const {
  BatchInfo info = info_of(host_);
  if (graphs_ && device_is_cuda()) info.pageable_copies = pageable_tensors(host_);
  if (const auto facts = watched_graphs()) {
    info.graphs = {.captured = facts->captures - captures_,
                   .kernel_nodes = facts->kernel_nodes,
                   .memcpy_nodes = facts->memcpy_nodes,
                   .memset_nodes = facts->memset_nodes,
                   .pool_bytes = facts->pool_bytes,
                   .recording_ns = facts->recording_ns};
  }
  if (resident_) info.h2d_copies = info.h2d_bytes = 0;
  if (const auto exchange = workload_.communication()) {
    info.allreduce_ns = exchange->allreduce_ns;
    info.allreduce_wait_ns = exchange->wait_ns;
  }
  return info;
}

void TorchStep::release() {
  if (const auto facts = watched_graphs()) captures_ = facts->captures;
  if (graphs_) graphs_->release(loss_);
  watch_loss(forward_loss, loss(), step_);  // of an answer the number that stands for it, never the answer too
  loss_.reset();
  // Before the copy stream waits for compute: a pinned block is free again once the work queued on it by now has ended.
  if (!resident_) host_.tensors.clear();
  copier_.step_enqueued();
  leave_step(++step_);
  if (resident_) return;
  device_.tensors.clear();
  copier_.leave_held(step_ - 1);
  loaded_ = on_device_ = false;
}

std::vector<KeptTensor> TorchStep::kept_tensors() const {
  std::vector<KeptTensor> kept;
  const std::vector<HeldTensor>& held = copier_.held().tensors();
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (held[i].times == 0) continue;
    kept.push_back({.index = static_cast<std::int64_t>(i),
                    .tensor = fmt::format("{}[{}]", dtype_name(held[i].type), fmt::join(held[i].sizes, ", ")),
                    .bytes = held[i].bytes,
                    .first_step = held[i].first_step,
                    .times = held[i].times,
                    .overwritten = copier_.addresses_are_fixed()});
  }
  return kept;
}

std::map<std::string, torch::Tensor> TorchStep::further_losses() const {
  std::map<std::string, torch::Tensor> losses = workload_.further_losses();
  for (const auto& [name, loss] : losses) {
    if (const std::string_view why = refused_boundary_name(name); !why.empty()) {
      throw Error(ErrorKind::usage, fmt::format("Workload::further_losses gave a loss \"{}\": {}", name, why),
                  "use lower case letters, digits and underscores, and no name of a boundary");
    }
    require_number(loss, fmt::format("Workload::further_losses gave as \"{}\"", name));
  }
  return losses;
}

std::map<std::string, std::int64_t> TorchStep::held_graphs() const {
  return graphs_ ? graphs_->held() : std::map<std::string, std::int64_t>{};
}

}  // namespace stepgate
