// When the gradients of a step were exchanged, and how long the host or the device stood still for it.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <optional>
#include <torch/csrc/distributed/c10d/Work.hpp>

#include "stepgate/workload.h"

namespace stepgate {

/// Called in the order of its functions: new_step() once a step, the rest once a backward pass that exchanges, begun()
/// for every exchange of it.
class ExchangeClock {
 public:
  virtual ~ExchangeClock() = default;
  virtual void new_step() = 0;               ///< passes from here on count together
  virtual void starts() = 0;                 ///< a backward pass whose gradients are exchanged
  virtual void begun(c10d::Work& work) = 0;  ///< an exchange was begun
  virtual void waits() = 0;                  ///< backward is done, the first wait comes
  virtual void waited() = 0;                 ///< all exchanges are done
  /// Sums over the passes of the last step; absent before the first.
  virtual std::optional<Communication> last() = 0;

 protected:
  ExchangeClock() = default;
  ExchangeClock(const ExchangeClock&) = default;
  ExchangeClock& operator=(const ExchangeClock&) = default;
};

/// CPU: host clock. An exchange is complete when its worker thread says so, which may be long before anybody waits.
/// GPU: three events on the compute stream, before the first exchange, before and after it waits for them; the host
/// never stands still there. Nothing may wait for the device inside a step, so last() tells of the newest step that the
/// device has finished, and an exchange that ends before the wait counts until the wait.
std::unique_ptr<ExchangeClock> make_exchange_clock(const torch::Device& device);

}  // namespace stepgate
