#include "measure/step/torch_loss_watch.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace stepgate {
namespace {

// A loss that is a view of a larger tensor would keep all of it alive. Allocators round a number up to this at most.
constexpr std::size_t most_held_bytes = 512;

/// The number at `data`; absent for a type that no loss has.
std::optional<double> number_at(const void* data, c10::ScalarType type) {
  switch (type) {
    case c10::ScalarType::Float:
      return *static_cast<const float*>(data);
    case c10::ScalarType::Double:
      return *static_cast<const double*>(data);
    case c10::ScalarType::Half:
      return static_cast<double>(static_cast<float>(*static_cast<const c10::Half*>(data)));
    case c10::ScalarType::BFloat16:
      return static_cast<double>(static_cast<float>(*static_cast<const c10::BFloat16*>(data)));
    default:
      return std::nullopt;
  }
}

/// The loss of a step on the CPU, without an operator. Absent where memory does not hold it as it is.
std::optional<double> number_of(const torch::Tensor& loss) {
  const void* const data = loss.const_data_ptr();
  if (data == nullptr || loss.is_neg()) return std::nullopt;
  return number_at(data, loss.scalar_type());
}

}  // namespace

void LossWatch::keep_values(std::size_t steps) {
  on_ = true;
  keeps_values_ = true;
  pass_.values.reserve(steps);
}

void LossWatch::keep_breaks() {
  on_ = true;
  held_.resize(held_losses);
}

void LossWatch::note(LossSlot slot, const torch::Tensor& loss, std::int64_t step) {
  if (!on_ || !loss.defined() || loss.numel() != 1) return;
  if (slot == forward_loss) ++pass_.steps;
  if (loss.layout() != c10::kStrided || !loss.has_storage()) return;
  if (loss.is_cpu()) {
    if (const auto value = number_of(loss)) look(slot, *value, step);
  } else if (!held_.empty()) {
    hold(slot, loss, step);
  }
}

void LossWatch::look(LossSlot slot, double value, std::int64_t step) {
  if (!std::isfinite(value) && !breaks_[slot]) breaks_[slot] = LossBreak{step, value};
  if (slot != forward_loss) return;
  ++pass_.seen;
  pass_.last_seen = step;
  if (keeps_values_ && pass_.values.size() < pass_.values.capacity()) pass_.values.push_back(value);
}

void LossWatch::hold(LossSlot slot, const torch::Tensor& loss, std::int64_t step) {
  const c10::Storage& storage = loss.storage();
  if (storage.nbytes() > most_held_bytes) return;
  held_[next_held_] = {storage, loss.scalar_type(), loss.storage_offset(), slot, step};
  next_held_ = (next_held_ + 1) % held_.size();
}

/// A step that is a CUDA graph writes every loss to the same place, which holds the last one.
void LossWatch::look_at_held() {
  std::vector<Held> last_of_each;
  std::set<std::pair<const void*, std::int64_t>> places;
  for (std::size_t back = 1; back <= held_.size(); ++back) {
    Held& held = held_[(next_held_ + held_.size() - back) % held_.size()];
    const Held taken = std::exchange(held, {});
    if (taken.storage && places.insert({taken.storage.data(), taken.offset}).second) last_of_each.push_back(taken);
  }
  std::reverse(last_of_each.begin(), last_of_each.end());
  const torch::NoGradGuard no_grad;
  for (const Held& held : last_of_each) {
    torch::Tensor number = torch::empty({0}, torch::TensorOptions().dtype(held.type).device(held.storage.device()));
    number.set_(held.storage, held.offset, {}, {});
    look(held.slot, number.item<double>(), held.step);
  }
}

PassLosses LossWatch::take(const std::function<std::string(LossSlot)>& name_of) {
  look_at_held();
  for (LossSlot slot = 0; slot < loss_slots; ++slot) {
    if (const auto found = std::exchange(breaks_[slot], std::nullopt)) pass_.breaks[name_of(slot)] = *found;
  }
  PassLosses taken = std::exchange(pass_, {});
  if (keeps_values_) pass_.values.reserve(taken.values.capacity());
  return taken;
}

}  // namespace stepgate
