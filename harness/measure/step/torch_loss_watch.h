// Keeps what each step computes as its loss until a pass is over. A loss may become infinite long after the steps that
// are compared, in a pass that only takes times.
//
// note() runs in timed windows. On a CPU it reads one number, which is computed already. On a device it keeps hold of
// the loss's memory and reads nothing: that would wait for the device.
#pragma once

#include <torch/torch.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/boundary.h"
#include "core/record/pass_losses.h"

namespace stepgate {

/// Which loss of a step: that of its forward, or one that a loop gives with a boundary of its own.
using LossSlot = std::size_t;
inline constexpr LossSlot forward_loss = 0;
constexpr LossSlot own_loss(std::size_t own_boundary) { return 1 + own_boundary; }
inline constexpr std::size_t loss_slots = 1 + max_own_boundaries;

class LossWatch {
 public:
  /// Keeps the value of up to `steps` steps, on a CPU. Losses on a device are not looked at: keeping them would change
  /// the memory that exact passes measure.
  void keep_values(std::size_t steps);
  /// Keeps whether all are finite. Of losses on a device those of the last `held_losses` steps of each pass are looked
  /// at: what is kept of them takes 512 bytes of device memory each.
  void keep_breaks();

  /// `step` as LossBreak::step. Nothing where neither function above was called. Allocates nothing.
  void note(LossSlot slot, const torch::Tensor& loss, std::int64_t step);

  /// What was noted since the last call, with the metrics' names from `name_of`. Call it after the device was
  /// synchronised, outside of windows: it may read the device.
  PassLosses take(const std::function<std::string(LossSlot)>& name_of);

 private:
  struct Held {
    c10::Storage storage = {};
    c10::ScalarType type = c10::ScalarType::Float;
    std::int64_t offset = 0;  ///< in elements
    LossSlot slot = forward_loss;
    std::int64_t step = 0;
  };
  void look(LossSlot slot, double value, std::int64_t step);
  void hold(LossSlot slot, const torch::Tensor& loss, std::int64_t step);
  void look_at_held();

  bool on_ = false;
  bool keeps_values_ = false;
  PassLosses pass_;
  std::array<std::optional<LossBreak>, loss_slots> breaks_ = {};
  std::vector<Held> held_;  ///< a ring
  std::size_t next_held_ = 0;
};

/// The windows of a default pass hold up to 60 steps (stepgate/step_counts.h).
inline constexpr std::size_t held_losses = 64;

}  // namespace stepgate
