// The time of a step's gradient exchange, and the time that the host or the device waited for it.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <optional>
#include <torch/csrc/distributed/c10d/Work.hpp>

#include "stepgate/workload.h"

namespace stepgate {

/// Call the functions in this order: new_step() once per step, the others once per backward pass with an exchange, and
/// begun() for every exchange of that pass.
class ExchangeClock {
 public:
  virtual ~ExchangeClock() = default;
  virtual void new_step() = 0;               ///< later passes count together
  virtual void starts() = 0;                 ///< a backward pass with an exchange begins
  virtual void begun(c10d::Work& work) = 0;  ///< an exchange began
  virtual void waits() = 0;                  ///< backward is done and the first wait begins
  virtual void waited() = 0;                 ///< all exchanges are done
  /// Sums over the passes of the last step; absent before the first.
  virtual std::optional<Communication> last() = 0;

 protected:
  ExchangeClock() = default;
  ExchangeClock(const ExchangeClock&) = default;
  ExchangeClock& operator=(const ExchangeClock&) = default;
};

/// CPU: host clock. The worker thread of an exchange reports its end, which may be long before the host waits for it.
/// GPU: three events on the compute stream: before the first exchange, and before and after the stream waits for all of
/// them; the host never waits. Nothing may wait for the device inside a step, so last() returns the newest step that
/// the device has finished, and an exchange that ends before the wait counts until the wait.
std::unique_ptr<ExchangeClock> make_exchange_clock(const torch::Device& device);

}  // namespace stepgate
