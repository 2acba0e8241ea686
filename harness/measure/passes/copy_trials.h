// The h2d pass: copies only, of several layouts, sizes and kinds of host memory (docs/design/measurement.md, "Copy
// trials").
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/record/run_record.h"
#include "measure/device/backend.h"

namespace stepgate {

/// Copies that can be repeated. Implemented over tensors (tensor_copies.h) and by a script in tests.
class CopyActions {
 public:
  virtual ~CopyActions() = default;
  /// What there is to copy, without trials. Sources and targets exist already.
  virtual const std::vector<CopySeries>& kinds() const = 0;
  /// Queues all copies of one kind, on the copy stream where there is one.
  virtual void copy(std::size_t kind) = 0;

 protected:
  CopyActions() = default;
  CopyActions(const CopyActions&) = default;
  CopyActions& operator=(const CopyActions&) = default;
};

/// `trials` of each kind, in turns, after one of each that is not recorded. All copies of a trial lie between one pair
/// of marks, behind work that keeps the stream busy until they are queued: the link is timed, not the host.
/// Throws Error(usage) where `trials` is not positive. Leaves link_bytes_per_s to the caller.
CopyTrials run_copies(CopyActions& actions, Backend& backend, std::int64_t trials);

}  // namespace stepgate
