// Averages gradients over ranks, as data-parallel training does: in flat buckets, each sent as soon as backward has
// filled it, so that communication overlaps with backward.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "stepgate/workload.h"
#include "support/exchange_clock.h"
#include "support/rank_group.h"

namespace stepgate {

struct ExchangeOptions {
  std::int64_t bucket_bytes = 1 << 20;  ///< a bucket ends with the parameter that fills it beyond this
  bool overlap = true;                  ///< false: all buckets are sent after backward
};

/// Around each backward pass with an exchange: `exchange.begin(); loss.backward(); exchange.finish();`. After finish()
/// every parameter's accumulated gradient is the average over all ranks. Backward passes outside of begin() and
/// finish() only accumulate. All ranks must exchange the same passes.
class GradientExchange {
 public:
  /// Parameters in an order that is equal on all ranks. Buckets are filled from the last parameter, whose gradient is
  /// ready first. A parameter may belong to one exchange at a time. Throws std::runtime_error if the ranks start from
  /// different weights.
  GradientExchange(const std::vector<torch::Tensor>& parameters, RankGroup group, const ExchangeOptions& options);
  ~GradientExchange();
  GradientExchange(const GradientExchange&) = delete;
  GradientExchange& operator=(const GradientExchange&) = delete;

  /// Call it once per step, before the first exchange: last() sums the exchanges since then.
  void new_step() { clock_->new_step(); }

  void begin();
  /// Throws std::runtime_error if a rank ended or hangs. A parameter without a gradient on this rank counts as zero.
  void finish();

  std::optional<Communication> last() const { return clock_->last(); }
  std::size_t buckets() const { return buckets_.size(); }

 private:
  struct Slice {
    torch::Tensor parameter;
    torch::Tensor place;  ///< the part of the bucket for its gradient
    bool filled = false;
  };
  struct Bucket {
    std::vector<torch::Tensor> flat;  ///< one tensor, in the form that the collectives need
    std::vector<Slice> slices;
    std::size_t filled = 0;
    c10::intrusive_ptr<c10d::Work> work;
  };
  class GradientHook;

  void add_bucket(const std::vector<torch::Tensor>& parameters);
  void take(Bucket& bucket, Slice& slice);
  void send_filled();
  void send(Bucket& bucket);

  RankGroup group_;
  ExchangeOptions options_;
  std::unique_ptr<ExchangeClock> clock_;
  std::vector<Bucket> buckets_;
  std::size_t sent_ = 0;  ///< sent buckets of this pass; all ranks send in the same order, not in the order of filling
  bool open_ = false;     ///< between begin() and finish()
};

}  // namespace stepgate
