// A loader with iterators (LibTorch's DataLoader) in a range-for over StepMarks: one step per batch.
//
//   for (auto& batch : stepgate::watched(marks, *loader)) {
//     marks.loaded({.samples = batch.size()});
//     ...
//   }
//
// LibTorch fetches the first batch of an epoch when its iterator is compared with end(), neither in begin() nor in *it,
// and later ones in ++it. Here all three lie in boundary data_wait, as does the time between two epochs.
#pragma once

#include <optional>
#include <utility>

#include "stepgate/step_marks.h"

namespace stepgate {

/// One epoch. It ends early if next_step() ends the training; then no further batch is fetched. Ask StepMarks::done()
/// before another epoch.
template <typename Loader>
class WatchedLoader {
 public:
  using LoaderIterator = decltype(std::declval<Loader&>().begin());

  /// Both must outlive this.
  WatchedLoader(StepMarks& marks, Loader& loader) : marks_(marks), loader_(loader) {}

  struct End {};

  class Iterator {
   public:
    explicit Iterator(WatchedLoader& epoch) : epoch_(&epoch) {
      if (epoch_->marks_.next_step()) at_.emplace(epoch_->loader_.begin());
    }
    decltype(auto) operator*() { return **at_; }
    Iterator& operator++() {
      if (epoch_->marks_.next_step()) {
        ++*at_;
      } else {
        at_.reset();
      }
      return *this;
    }
    bool operator!=(End /*end*/) { return at_.has_value() && *at_ != epoch_->loader_.end(); }

   private:
    WatchedLoader* epoch_;
    std::optional<LoaderIterator> at_;  ///< absent once the training is over
  };

  Iterator begin() { return Iterator(*this); }
  End end() { return {}; }

 private:
  StepMarks& marks_;
  Loader& loader_;
};

template <typename Loader>
WatchedLoader<Loader> watched(StepMarks& marks, Loader& loader) {
  return WatchedLoader<Loader>(marks, loader);
}

}  // namespace stepgate
