// Gradients averaged over ranks, as data-parallel training does it: in flat buckets, each sent off as soon as backward
// has filled it, so that the network works while backward still computes.
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

/// Around each backward pass whose gradients count: `exchange.begin(); loss.backward(); exchange.finish();`. After
/// finish() the gradient of every parameter is the average over all ranks, of what accumulated in it so far. Backward
/// passes outside of begin() and finish() only accumulate. All ranks exchange the same passes.
class GradientExchange {
 public:
  /// Parameters in an order that is equal on all ranks; buckets are filled from the last one, whose gradient comes
  /// first. One at a time for each parameter. Throws std::runtime_error where the ranks start from different weights.
  GradientExchange(const std::vector<torch::Tensor>& parameters, RankGroup group, const ExchangeOptions& options);
  ~GradientExchange();
  GradientExchange(const GradientExchange&) = delete;
  GradientExchange& operator=(const GradientExchange&) = delete;

  /// Once a step, before its first exchange: last() adds up the exchanges from here on.
  void new_step() { clock_->new_step(); }

  void begin();
  /// Throws std::runtime_error where a rank ended or hangs. A parameter that had no gradient here counts as zero.
  void finish();

  std::optional<Communication> last() const { return clock_->last(); }
  std::size_t buckets() const { return buckets_.size(); }

 private:
  struct Slice {
    torch::Tensor parameter;
    torch::Tensor place;  ///< of its gradient in the bucket
    bool filled = false;
  };
  struct Bucket {
    std::vector<torch::Tensor> flat;  ///< one tensor, as the collectives take it
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
  std::size_t sent_ = 0;  ///< buckets of this pass: all ranks send in the same order, whatever fills first
  bool open_ = false;     ///< between begin() and finish()
};

}  // namespace stepgate
