// Loss scaling for training in float16, with the semantics of torch.amp.GradScaler, which LibTorch does not have in
// C++. Small gradients vanish in float16. So the loss is multiplied by a scale before backward, and the gradients are
// divided by it before the update. A step whose gradients overflowed is skipped, and the scale is lowered; after many
// good steps it is raised again. bfloat16 has the range of float32 and needs none of this.
//
//   stepgate::GradScaler scaler;
//   scaler.scale(loss).backward();
//   scaler.unscale_(optimizer);  // only where something reads the gradients, such as clipping
//   clip(parameters);
//   scaler.step(optimizer);
//   scaler.update();
//   optimizer.zero_grad();
//
// Scale, growth tracker and the flag of an overflow are tensors on the device of the loss. The host reads one number in
// step(Optimizer&), and none in step_fused().
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "stepgate/autocast.h"

namespace stepgate {

/// The defaults are those of torch.amp.GradScaler.
struct GradScalerOptions {
  double init_scale = 65536;            ///< above 0
  double growth_factor = 2;             ///< above 1; the scale is multiplied by it after `growth_interval` good steps
  double backoff_factor = 0.5;          ///< above 0 and below 1; the scale is multiplied by it after an overflow
  std::int64_t growth_interval = 2000;  ///< above 0; steps without an overflow, one after the other
  bool enabled = true;                  ///< false: every call does what it would do without a scaler
};

/// What a checkpoint keeps of a scaler.
struct GradScalerState {
  double scale = 65536;
  std::int64_t growth_tracker = 0;  ///< good steps since the scale last changed
};

/// What a fused update (at::_fused_adamw_ and its like) gets from the scaler: it divides the gradients by `grad_scale`
/// in its kernel, and changes nothing where `found_inf` is 1.
struct FusedScaling {
  std::optional<torch::Tensor> grad_scale;  ///< scalar float32; absent where unscale_() was called before
  std::optional<torch::Tensor> found_inf;   ///< scalar float32, 0 or 1; absent without loss scaling
};

/// One scaler a training loop, for any number of optimizers. Not for use by several threads. A call out of order throws
/// std::logic_error, which says what to call instead; options or gradients that do not fit throw std::invalid_argument.
class GradScaler {
 public:
  explicit GradScaler(const GradScalerOptions& options = {}) : options_(options) {
    require_option(options.init_scale > 0, "init_scale must be above 0");
    require_option(options.growth_factor > 1, "growth_factor must be above 1");
    require_option(options.backoff_factor > 0 && options.backoff_factor < 1, "backoff_factor must lie between 0 and 1");
    require_option(options.growth_interval > 0, "growth_interval must be above 0");
    state_.scale = options.init_scale;
  }

  /// `loss` (any shape, floating point) times the scale. The first call makes the scaler's tensors on the device of
  /// `loss`. Call backward on the result. No host sync.
  torch::Tensor scale(const torch::Tensor& loss) {
    if (!options_.enabled) return loss;
    if (!scale_.defined()) make_tensors(loss.device());
    require_device(loss, "the loss");
    return loss * scale_;
  }

  /// Divides the gradients of the optimizer's parameters by the scale, in place, and notes whether one of them is not
  /// finite. Once per optimizer and step, after the last backward and before anything reads the gradients. No host
  /// sync. Throws where a gradient is float16: keep parameters in float32 and let autocast cast them.
  void unscale_(const torch::optim::Optimizer& optimizer) { unscale(&optimizer, parameters_of(optimizer)); }

  /// The same for parameters that no torch::optim::Optimizer holds. The first of them stands for the list in step().
  void unscale_(const std::vector<torch::Tensor>& parameters) { unscale(key_of(parameters), parameters); }

  /// The same for your own update with `parameters()`, as step_fused() takes it.
  template <typename FusedUpdate>
  void unscale_for(const FusedUpdate& update) {
    unscale(&update, update.parameters());
  }

  /// Unscales, unless unscale_() was called, and calls optimizer.step() where all gradients are finite. Returns whether
  /// it did. Reads one number from the device. Call update() once after the steps of all optimizers.
  bool step(torch::optim::Optimizer& optimizer) {
    if (!options_.enabled) return optimizer.step(), true;
    return step_unless_overflow(&optimizer, parameters_of(optimizer), [&] { optimizer.step(); });
  }

  /// The same for `parameters` that `update` changes.
  bool step(const std::vector<torch::Tensor>& parameters, const std::function<void()>& update) {
    if (!options_.enabled) return update(), true;
    return step_unless_overflow(key_of(parameters), parameters, update);
  }

  /// The same for an update that unscales and skips in its kernel: it calls update.step(FusedScaling), and has
  /// `std::vector<torch::Tensor> parameters()`. No host sync. The update must add 1 to its step tensors before the
  /// kernel and subtract found_inf after it, or a skipped step would count in the bias correction. In the gradients it
  /// leaves unscaled values.
  template <typename FusedUpdate>
  void step_fused(FusedUpdate& update) {
    if (!options_.enabled) return static_cast<void>(update.step(FusedScaling{}));
    PerOptimizer& one = find(&update, "step_fused");
    require_unstepped(one, "step_fused");
    const bool unscaled = one.stage == Stage::unscaled;
    if (!unscaled) check_finite(one, update.parameters(), unit(), true);
    require_gradients(one, "step_fused");
    update.step(FusedScaling{unscaled ? std::nullopt : std::optional(scale_), one.found_inf});
    if (!skipped_on_device_.defined()) skipped_on_device_ = torch::zeros({}, scale_.options());
    skipped_on_device_.add_(one.found_inf);
    one.stage = Stage::stepped;
  }

  /// Lowers the scale where any optimizer met an overflow in this step, raises it after `growth_interval` steps without
  /// one. Once at the end of each step. No host sync.
  void update() {
    if (!options_.enabled) return;
    require_scaled("update");
    torch::Tensor found;
    for (const PerOptimizer& one : optimizers_) {
      if (one.found_inf.defined()) found = found.defined() ? found + one.found_inf : one.found_inf;
    }
    if (!found.defined()) {
      refuse("update", "no gradient was checked since the last update()", "call step() or unscale_() before it");
    }
    at::_amp_update_scale_(scale_, growth_tracker_, found, options_.growth_factor, options_.backoff_factor,
                           options_.growth_interval);
    optimizers_.clear();
  }

  /// The scale that the next loss is multiplied by. Reads one number from the device; 1 where the scaler is not
  /// enabled.
  double get_scale() const {
    if (!options_.enabled) return 1;
    return scale_.defined() ? scale_.item<double>() : state_.scale;
  }

  /// Updates that were skipped because of an overflow, since construction; each optimizer counts. After step_fused() it
  /// reads one number from the device.
  std::int64_t skipped_steps() const {
    return skipped_ + (skipped_on_device_.defined() ? static_cast<std::int64_t>(skipped_on_device_.item<double>()) : 0);
  }

  /// For a checkpoint. Reads two numbers from the device.
  GradScalerState state() const {
    if (!scale_.defined()) return state_;
    return {scale_.item<double>(), growth_tracker_.item<std::int64_t>()};
  }

  /// Continues where state() was taken. Call it between two steps.
  void load(const GradScalerState& state) {
    require_option(state.scale > 0 && state.growth_tracker >= 0,
                   "the state needs a scale above 0 and a tracker from 0");
    state_ = state;
    optimizers_.clear();
    if (scale_.defined()) make_tensors(scale_.device());
  }

  /// The scale on the device, scalar float32; undefined before the first scale(). For tests and logs that stay on the
  /// device.
  const torch::Tensor& scale_tensor() const { return scale_; }

 private:
  enum class Stage { ready, unscaled, stepped };

  /// An optimizer since the last update().
  struct PerOptimizer {
    const void* key = nullptr;
    Stage stage = Stage::ready;
    torch::Tensor found_inf = {};  ///< undefined until a gradient was checked
  };

  struct SameDtype {
    at::ScalarType dtype;
    std::vector<torch::Tensor> gradients;
  };

  [[noreturn]] static void refuse(const char* call, const std::string& what, const std::string& remedy) {
    throw std::logic_error(std::string("GradScaler::") + call + ": " + what + ": " + remedy);
  }

  static void require_option(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(std::string("GradScaler: ") + what);
  }

  static std::vector<torch::Tensor> parameters_of(const torch::optim::Optimizer& optimizer) {
    std::vector<torch::Tensor> all;
    for (const auto& group : optimizer.param_groups()) {
      all.insert(all.end(), group.params().begin(), group.params().end());
    }
    return all;
  }

  static const void* key_of(const std::vector<torch::Tensor>& parameters) {
    require_option(!parameters.empty(), "the list of parameters is empty");
    return parameters.front().unsafeGetTensorImpl();
  }

  void make_tensors(const at::Device& device) {
    scale_ = torch::full({}, state_.scale, torch::TensorOptions().dtype(torch::kFloat32).device(device));
    growth_tracker_ = torch::full({}, state_.growth_tracker, scale_.options().dtype(torch::kInt32));
  }

  torch::Tensor unit() const { return torch::ones({}, scale_.options()); }

  void require_scaled(const char* call) const {
    if (scale_.defined()) return;
    refuse(call, "no loss was scaled yet", "call scale(loss).backward() instead of loss.backward()");
  }

  static void require_unstepped(const PerOptimizer& one, const char* call) {
    if (one.stage != Stage::stepped) return;
    refuse(call, "this optimizer was stepped since the last update()", "call update() once at the end of each step");
  }

  static void require_gradients(const PerOptimizer& one, const char* call) {
    if (one.found_inf.defined()) return;
    refuse(call, "no parameter of this optimizer has a gradient", "call it after backward and before zero_grad()");
  }

  void require_device(const torch::Tensor& tensor, const char* what) const {
    if (tensor.device() == scale_.device()) return;
    throw std::invalid_argument(std::string("GradScaler: ") + what + " is on " + tensor.device().str() +
                                ", the scale on " + scale_.device().str() + ": use one scaler a device");
  }

  PerOptimizer& find(const void* key, const char* call) {
    require_scaled(call);
    for (PerOptimizer& one : optimizers_) {
      if (one.key == key) return one;
    }
    return optimizers_.emplace_back(PerOptimizer{key});
  }

  void unscale(const void* key, const std::vector<torch::Tensor>& parameters) {
    if (!options_.enabled) return;
    PerOptimizer& one = find(key, "unscale_");
    if (one.stage == Stage::unscaled) {
      refuse("unscale_", "the gradients of this optimizer are unscaled already",
             "call it once a step, after the last backward of an accumulation");
    }
    require_unstepped(one, "unscale_");
    // Divide in float64, so that the reciprocal is rounded once.
    check_finite(one, parameters, scale_.to(torch::kFloat64).reciprocal().to(torch::kFloat32), false);
    one.stage = Stage::unscaled;
  }

  bool step_unless_overflow(const void* key, const std::vector<torch::Tensor>& parameters,
                            const std::function<void()>& update) {
    require_unstepped(find(key, "step"), "step");
    if (find(key, "step").stage == Stage::ready) unscale(key, parameters);
    PerOptimizer& one = find(key, "step");
    require_gradients(one, "step");
    one.stage = Stage::stepped;
    const bool overflow = one.found_inf.item<float>() != 0;  // the only host sync
    overflow ? static_cast<void>(++skipped_) : update();
    return !overflow;
  }

  /// Multiplies all gradients by `inverse_scale` and sets found_inf. The kernel takes tensors of one dtype.
  void check_finite(PerOptimizer& one, const std::vector<torch::Tensor>& parameters, const torch::Tensor& inverse_scale,
                    bool takes_float16) {
    const torch::NoGradGuard no_grad;
    for (SameDtype& same : by_dtype(parameters, takes_float16)) {
      if (!one.found_inf.defined()) one.found_inf = torch::zeros({}, scale_.options());
      at::_amp_foreach_non_finite_check_and_unscale_(same.gradients, one.found_inf, inverse_scale);
    }
  }

  std::vector<SameDtype> by_dtype(const std::vector<torch::Tensor>& parameters, bool takes_float16) const {
    std::vector<SameDtype> groups;
    for (const torch::Tensor& parameter : parameters) {
      if (!parameter.grad().defined()) continue;
      const torch::Tensor gradient = values_of(parameter.grad(), takes_float16);
      require_device(gradient, "a gradient");
      auto group = groups.begin();
      while (group != groups.end() && group->dtype != gradient.scalar_type()) ++group;
      if (group == groups.end()) group = groups.insert(groups.end(), {gradient.scalar_type(), {}});
      group->gradients.push_back(gradient);
    }
    return groups;
  }

  static torch::Tensor values_of(const torch::Tensor& gradient, bool takes_float16) {
    if (!takes_float16 && gradient.scalar_type() == torch::kHalf) {
      throw std::invalid_argument(
          "GradScaler::unscale_: a gradient is float16, which loses what unscaling saves: keep the parameters in "
          "float32 and let stepgate::Autocast cast them in forward");
    }
    if (!gradient.is_sparse()) return gradient;
    // Entries of the same index are added up first: two finite float16 values can overflow together.
    return (gradient.scalar_type() == torch::kHalf ? gradient.coalesce() : gradient)._values();
  }

  GradScalerOptions options_;
  GradScalerState state_;  ///< as long as there are no tensors
  torch::Tensor scale_;
  torch::Tensor growth_tracker_;
  torch::Tensor skipped_on_device_;
  std::int64_t skipped_ = 0;
  std::vector<PerOptimizer> optimizers_;
};

}  // namespace stepgate
