// Mixed precision in a workload: within the scope LibTorch runs matrix products and convolutions in the lower
// precision, and what needs more digits (losses, norms, sums) in float32. Weights, gradients and the optimizer stay in
// float32, so bfloat16 needs no loss scaling; float16 does (amp.h).
//
//   torch::Tensor forward(const Batch& batch) override {
//     const stepgate::Autocast autocast(device_.type(), autocast_);  // autocast_: asks_for_autocast(context.dtype)
//     return loss_of(model->forward(batch.tensors[0]), batch.tensors[1]);
//   }
//
// Keep it to forward: backward runs each operator in the precision of its forward by itself.
#pragma once

#include <ATen/autocast_mode.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace stepgate {

/// Case::dtype: "float32" is without autocast, "bfloat16" is autocast to it. Throws std::invalid_argument for another
/// one.
inline bool asks_for_autocast(std::string_view dtype) {
  if (dtype == "float32") return false;
  if (dtype == "bfloat16") return true;
  throw std::invalid_argument("dtype '" + std::string(dtype) + "': a case declares float32 or bfloat16");
}

/// Autocast to `dtype` on the calling thread from here to the end of the scope, or nothing where `on` is false. Scopes
/// nest. At the end of the outermost one LibTorch's cache of cast weights is dropped, so that the next step casts the
/// updated weights. With `on` false it makes no call at all.
class Autocast {
 public:
  Autocast(at::DeviceType device, bool on, at::ScalarType dtype = at::kBFloat16) : device_(device), on_(on) {
    if (!on_) return;
    was_enabled_ = at::autocast::is_autocast_enabled(device_);
    before_ = at::autocast::get_autocast_dtype(device_);
    at::autocast::set_autocast_enabled(device_, true);
    at::autocast::set_autocast_dtype(device_, dtype);
    at::autocast::increment_nesting();
  }
  ~Autocast() {
    if (!on_) return;
    if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
    at::autocast::set_autocast_dtype(device_, before_);
    at::autocast::set_autocast_enabled(device_, was_enabled_);
  }
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  at::DeviceType device_;
  bool on_;
  bool was_enabled_ = false;
  at::ScalarType before_ = at::kFloat;
};

}  // namespace stepgate
