// For a workload that reads from a loader with epochs: an endless sequence of batches, with all waiting in one call.
//
// LibTorch's DataLoader fetches the first batch of an epoch when its iterator is compared with end(), neither in
// begin() nor in *it, and later ones in ++it. A loop that asks for the next batch at the end of its body therefore
// waits outside boundary data_wait. EndlessLoader::next() does the increment, the comparison and the new epoch itself.
// If Workload::next_batch() calls it, every wait lies inside boundary data_wait.
//
//   stepgate::EndlessLoader loader(torch::data::make_data_loader(dataset, sampler, options));
//   stepgate::Batch next_batch() override { return loader.next(); }
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace stepgate {

/// `Loader` has begin() and end(); each begin() starts an epoch. One thread at a time.
template <typename Loader>
class EndlessLoader {
 public:
  using Iterator = decltype(std::declval<Loader&>().begin());
  using Value = std::decay_t<decltype(*std::declval<Iterator&>())>;
  using EpochStart = std::function<void(std::int64_t epoch)>;

  /// `before_epoch` is called with the number of each epoch, from 0, on the thread that calls next(), before the
  /// loader's begin(). Use it to pass the number to a sampler. Throws std::invalid_argument without a loader.
  explicit EndlessLoader(std::unique_ptr<Loader> loader, EpochStart before_epoch = {})
      : loader_(std::move(loader)), before_epoch_(std::move(before_epoch)) {
    if (!loader_) throw std::invalid_argument("EndlessLoader: no loader was given");
  }

  /// The next batch; waits until it is ready. After an epoch's last batch the next epoch starts.
  /// Throws std::runtime_error if a whole epoch has no batch. An exception of the loader (LibTorch: WorkerException,
  /// with the worker's own message) passes through unchanged; a later call continues with the loader's next batch.
  Value next() {
    bool fresh = !at_.has_value();
    if (fresh) {
      start_epoch();
    } else if (taken_) {
      ++*at_;
      taken_ = false;
    }
    while (*at_ == loader_->end()) {
      if (fresh) {
        at_.reset();
        throw std::runtime_error("EndlessLoader: epoch " + std::to_string(epoch_) +
                                 " has no batch; give the loader at least one (fewer samples than one batch, and the "
                                 "incomplete batch dropped?)");
      }
      start_epoch();
      fresh = true;
    }
    taken_ = true;
    return std::move(**at_);
  }

  /// The epoch of the last batch; -1 before the first.
  std::int64_t epoch() const { return epoch_; }

 private:
  void start_epoch() {
    if (before_epoch_) before_epoch_(epoch_ + 1);
    at_.emplace(loader_->begin());
    ++epoch_;
    taken_ = false;
  }

  std::unique_ptr<Loader> loader_;
  EpochStart before_epoch_;
  std::optional<Iterator> at_;  ///< destroyed before the loader
  bool taken_ = false;          ///< the caller has the batch at `at_`: advance first
  std::int64_t epoch_ = -1;
};

}  // namespace stepgate
