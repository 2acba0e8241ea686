// A learning rate that rises linearly and then falls along half a cosine.
#pragma once

#include <torch/torch.h>

#include <cstdint>

namespace stepgate {

struct CosineSchedule {
  double peak = 1e-3;
  double least = 0;                 ///< from `total_updates` on
  std::int64_t warmup_updates = 0;  ///< the n-th of them has n / (warmup_updates + 1) of the peak
  std::int64_t total_updates = 1;   ///< warm-up and decay together
};

/// The rate of update number `update`, counted from 0. After the warm-up it is
/// least + (peak - least) (1 + cos(pi t)) / 2 with t = (update - warmup_updates) / (total_updates - warmup_updates)
/// (Loshchilov and Hutter, SGDR, ICLR 2017, equation 5, without restarts). Throws std::invalid_argument where the
/// schedule has no decay.
double scheduled_rate(const CosineSchedule& schedule, std::int64_t update);

/// Of every parameter group.
void set_learning_rate(torch::optim::Optimizer& optimizer, double rate);

}  // namespace stepgate
