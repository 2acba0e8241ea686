// The h2d pass: copies only, of several layouts, sizes and kinds of host memory (docs/design/measurement.md, "Copy
// trials").
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/record/run_record.h"
#include "measure/device/backend.h"

namespace stepgate {

/// Copies that can be repeated: of tensors (tensor_copies.h), or scripted in tests.
class CopyActions {
 public:
  virtual ~CopyActions() = default;
  /// The series to copy, without trials. Sources and targets are already allocated.
  virtual const std::vector<CopySeries>& kinds() const = 0;
  /// Queues all copies of one kind, on the copy stream where there is one.
  virtual void copy(std::size_t kind) = 0;

 protected:
  CopyActions() = default;
  CopyActions(const CopyActions&) = default;
  CopyActions& operator=(const CopyActions&) = default;
};

/// Runs `trials` copies of each kind, one kind after the other in each round, after one round that is not recorded. One
/// pair of marks encloses all copies of a trial. Other work keeps the stream busy until they are queued, twice as long
/// as queueing them took in the first round, so that the marks time the link and not the host. Throws Error(usage)
/// where `trials` is not positive. The caller fills in link_bytes_per_s.
CopyTrials run_copies(CopyActions& actions, Backend& backend, std::int64_t trials);

}  // namespace stepgate
