// Runs operator calls of chosen places a second time, so that the step becomes longer by what they cost.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/boundary.h"
#include "core/repeated_place.h"

namespace stepgate {

/// While it is switched on, each operator that the user's code or a node of autograd calls on the step's thread passes
/// through it. It learns in one step which of them belong to which place: those with a call of the place on their
/// stack, and in backward those of nodes that such an operator made. Later it knows them by boundary, their order
/// within it, and their schema, so that a repeated step reads no stack.
///
/// A call is repeated before it runs, with the same arguments; the result is dropped. So that autograd, too, works
/// twice for it, an empty node that hands gradients on is put behind each result. What an operator writes into, the
/// second one writes into scratch tensors that are kept for the next step. Operators outside of aten (collectives, the
/// user's own) run once. So does one that throws when it is repeated. Random numbers are drawn twice.
///
/// Only one can exist, because LibTorch's fallbacks have no state: throws Error(measure) where there is one already.
/// All functions belong to the step's thread.
class CallRepeater {
 public:
  explicit CallRepeater(const std::vector<RepeatedPlace>& places);
  ~CallRepeater();
  CallRepeater(const CallRepeater&) = delete;
  CallRepeater& operator=(const CallRepeater&) = delete;

  enum class Mode {
    off,     ///< nothing passes through it
    learn,   ///< what the calls of each boundary belong to; the latest step of each shape holds
    pass,    ///< calls pass through it, and none is repeated
    repeat,  ///< those of one place are
  };
  /// `place` is an index into `places`, for Mode::repeat. Between two steps.
  void set_mode(Mode mode, std::size_t place = 0);
  /// The next repeated call that writes into a tensor makes a scratch tensor anew.
  void drop_scratch();

  /// Before the work of a boundary begins. `shape` tells batches of other shapes apart (BatchInfo::shape).
  void enter(Boundary boundary, std::uint64_t shape);

  /// Calls of a step that belong to the place and can be repeated, so far as is known: of the shape with the most.
  std::int64_t calls_of(std::size_t place) const;
  /// What a call costs that is repeated, beyond what it costs when it runs alone, in nanoseconds: a copy of its
  /// arguments, and a look at what was learnt. Measured on calls of the cheapest operator, one after another, in some
  /// milliseconds. Leaves the mode off.
  double repeating_ns();

  /// Of the boundaries in which calls of the place were to be repeated the share that made others than those learnt, or
  /// fewer, so that not all of theirs were; 0 where there were none.
  double strayed_share(std::size_t place) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stepgate
