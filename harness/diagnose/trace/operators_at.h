// Which operator ran on a thread when something was launched there?
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/study/trace_events.h"

namespace stepgate {

/// The operators of a trace, as a record counts them: "aten::mm", without nodes of autograd. The trace must outlive it
/// and stay as it is.
class OperatorsAt {
 public:
  explicit OperatorsAt(const TraceEvents& trace);

  /// The innermost one that runs on the thread of `call` when it begins. Null where none does.
  const TraceEvent* around(const TraceEvent& call) const;

 private:
  struct Range {
    std::uint32_t event;   ///< index into TraceEvents::events
    std::uint32_t parent;  ///< index into the ranges of the thread, or no_parent
  };
  static constexpr std::uint32_t no_parent = UINT32_MAX;

  void nest(std::vector<Range>& ranges) const;

  const TraceEvents& trace_;
  std::vector<std::vector<Range>> by_thread_;  ///< by begin, an outer one before those within
};

}  // namespace stepgate
