#include "measure/tensor_step.h"

#include <fmt/format.h>

#include "core/error.h"

namespace stepgate {

void require_trainable(const torch::Tensor& loss, std::string_view given_by) {
  if (loss.defined() && loss.numel() == 1 && loss.requires_grad()) return;
  const std::string found = !loss.defined()     ? "an undefined tensor"
                            : loss.numel() != 1 ? fmt::format("a tensor of {} elements", loss.numel())
                                                : "a tensor that does not require grad";
  throw Error(ErrorKind::usage, fmt::format("{} {}", given_by, found), "give the loss: one number that requires grad");
}

}  // namespace stepgate
