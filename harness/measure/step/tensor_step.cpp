#include "measure/step/tensor_step.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/metric.h"
#include "measure/memory/memory_trace.h"

namespace stepgate {
namespace {

void mark_storage(const torch::Tensor& tensor, MemoryRole role, MemoryTrace& trace) {
  if (!tensor.defined()) return;
  if (tensor.is_sparse()) {
    mark_storage(tensor._indices(), role, trace);
    mark_storage(tensor._values(), role, trace);
  } else if (tensor.has_storage()) {
    trace.mark(reinterpret_cast<MemoryTrace::Address>(tensor.storage().data()), role);
  }
}

}  // namespace

std::optional<std::int64_t> TensorStep::skipped_updates() const {
  const auto scaling = loss_scaling();
  return scaling ? std::optional(scaling->skipped_steps) : std::nullopt;
}

PassLosses TensorStep::take_losses() {
  return losses_.take([&](LossSlot slot) {
    return slot == forward_loss ? std::string("loss") : member_of(further_loss_family, boundaries().own()[slot - 1]);
  });
}

void TensorStep::mark_memory(MemoryTrace& trace) const {
  const torch::NoGradGuard no_grad;
  for (const torch::Tensor& parameter : parameters()) {
    mark_storage(parameter, MemoryRole::parameter, trace);
    mark_storage(parameter.grad(), MemoryRole::gradient, trace);
  }
}

void require_number(const torch::Tensor& loss, std::string_view given_by) {
  if (loss.defined() && loss.numel() == 1) return;
  const std::string found =
      loss.defined() ? fmt::format("a tensor of {} elements", loss.numel()) : std::string("an undefined tensor");
  throw Error(ErrorKind::usage, fmt::format("{} {}", given_by, found), "give one number");
}

void require_trainable(const torch::Tensor& loss, std::string_view given_by) {
  if (loss.defined() && loss.numel() == 1 && loss.requires_grad()) return;
  const std::string found = !loss.defined()     ? "an undefined tensor"
                            : loss.numel() != 1 ? fmt::format("a tensor of {} elements", loss.numel())
                                                : "a tensor that does not require grad";
  throw Error(ErrorKind::usage, fmt::format("{} {}", given_by, found), "give the loss: one number that requires grad");
}

}  // namespace stepgate
