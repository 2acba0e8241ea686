#include "lab/noisy_machine.h"

#include <cmath>

namespace stepgate::lab {

NoisyMachine::NoisyMachine(const NoiseModel& model, std::uint64_t seed)
    : model_(model), generator_(seed), tail_(model.tail_freedom > 0 ? model.tail_freedom : 3) {
  session_ = model_.session_sd * normal();
  slot_noise_ = model_.slot_sd * normal();
  difference_ = model_.difference_sd * normal();
  if (!model_.trace.empty()) {
    // At an odd position, continue with the next even slot, so that a pair of the trace stays a pair.
    const std::size_t pairs = model_.trace.size() / 2;
    place_ = 2 * boost::random::uniform_int_distribution<std::size_t>(0, pairs - 1)(generator_) + 1;
  }
}

double NoisyMachine::next_slot() {
  if (!model_.trace.empty()) {
    place_ = (place_ + 1) % model_.trace.size();
    return model_.trace[place_];
  }
  if (model_.slot_sd > 0) {
    const double fresh = std::sqrt(1 - model_.slot_ar * model_.slot_ar) * model_.slot_sd;
    slot_noise_ = model_.slot_ar * slot_noise_ + fresh * normal();
  }
  if (model_.walk_sd > 0) walk_ += model_.walk_sd * normal();
  drift_ += model_.drift_per_slot;
  burst_ = burst_ ? !draw(model_.burst_end) : draw(model_.burst_start);
  return session_ + slot_noise_ + walk_ + drift_ + (burst_ ? model_.burst_size : 0);
}

std::vector<Environment> NoisyMachine::environments(std::size_t pairs) {
  std::vector<Environment> result(pairs);
  for (Environment& environment : result) {
    const double first = next_slot();
    const double second = next_slot();
    environment.head_first = uniform_(generator_) < 0.5;
    environment.base = environment.head_first ? second : first;
    environment.head = environment.head_first ? first : second;
    if (model_.difference_sd > 0) {
      const double fresh = std::sqrt(1 - model_.difference_ar * model_.difference_ar) * model_.difference_sd;
      difference_ = model_.difference_ar * difference_ + fresh * normal();
      environment.head += difference_;
    }
    if (draw(model_.head_burst_share)) environment.head += model_.head_burst_size;
  }
  return result;
}

double NoisyMachine::process(double spread_factor) {
  if (!model_.trace.empty()) return 0;
  double value = model_.process_sd * spread_factor;
  if (model_.tail_freedom > 0) {
    value *= tail_(generator_) * std::sqrt((model_.tail_freedom - 2) / model_.tail_freedom);
  } else {
    value *= normal();
  }
  if (draw(model_.second_mode_share)) value += model_.second_mode_shift;
  if (draw(model_.spike_share)) value += model_.spike_size * uniform_(generator_);
  return value;
}

void NoisyMachine::measure(const std::vector<Environment>& environments, double change, SimulatedPairs& result) {
  const double shift = std::log1p(change);
  result.base.clear();
  result.head.clear();
  result.differences.clear();
  result.head_first.clear();
  for (const Environment& environment : environments) {
    result.base.push_back(environment.base + process(1));
    result.head.push_back(environment.head + shift + process(model_.head_spread_factor));
    result.differences.push_back(result.head.back() - result.base.back());
    result.head_first.push_back(environment.head_first);
  }
}

double NoisyMachine::session_value(std::size_t processes) {
  double sum = 0;
  for (std::size_t i = 0; i < processes; ++i) sum += process(1);
  return next_slot() + sum / static_cast<double>(processes);
}

}  // namespace stepgate::lab
