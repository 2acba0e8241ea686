// How many autograd nodes the process makes: what a forward pass records for a backward.
#pragma once

#include <atomic>
#include <cstdint>

namespace stepgate {

/// LibTorch numbers the nodes that a thread makes one after the other (ATen/SequenceNumber.h), except those that
/// collect the gradient of a parameter. So a thread made as many nodes between two readings as its number rose. Reading
/// costs a few nanoseconds and takes no lock.
class AutogradNodes {
 public:
  /// Counts from here on. Called on the step's thread.
  void start();
  /// Adds what the calling thread made since its last reading. Other threads call it around every operator: they may
  /// end at any time, and their number cannot be read from elsewhere. A thread's first reading adds nothing.
  void read();
  /// Nodes of all threads since start(), with what the calling thread made until now.
  std::int64_t total();

 private:
  std::uint64_t run_ = 0;  ///< tells the readings of this count from earlier ones of the same thread
  std::atomic<std::int64_t> made_ = 0;
};

}  // namespace stepgate
