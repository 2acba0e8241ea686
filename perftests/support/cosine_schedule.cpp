#include "support/cosine_schedule.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace stepgate {

double scheduled_rate(const CosineSchedule& schedule, std::int64_t update) {
  if (schedule.warmup_updates < 0 || schedule.total_updates <= schedule.warmup_updates)
    throw std::invalid_argument("a cosine schedule needs more updates than its warm-up has");
  if (update < schedule.warmup_updates)
    return schedule.peak * static_cast<double>(update + 1) / static_cast<double>(schedule.warmup_updates + 1);
  if (update >= schedule.total_updates) return schedule.least;
  const double share = static_cast<double>(update - schedule.warmup_updates) /
                       static_cast<double>(schedule.total_updates - schedule.warmup_updates);
  return schedule.least + (schedule.peak - schedule.least) * (1 + std::cos(std::numbers::pi * share)) / 2;
}

void set_learning_rate(torch::optim::Optimizer& optimizer, double rate) {
  for (torch::optim::OptimizerParamGroup& group : optimizer.param_groups()) group.options().set_lr(rate);
}

}  // namespace stepgate
