// For a workload of several ranks: its exchange of gradients can be left out, so that `stepgate profile` can prove what
// the exchange costs.
//
//   class Parallel final : public stepgate::Workload, public stepgate::ExchangeSwitch {
//     void set_exchange(bool on) override { exchanges_ = on; if (on) barrier(); }
//   };
//
// Optional: without it the experiment `exchange-off` is absent, with that reason.
#pragma once

namespace stepgate {

class ExchangeSwitch {
 public:
  virtual ~ExchangeSwitch() = default;

  /// While off, backward() leaves the gradients of this rank as they are and waits for no other rank. Called on all
  /// ranks, between steps, in processes of group profile only. When it turns on again, the ranks have run apart for
  /// some steps: wait for each other here, or the next measured steps would.
  virtual void set_exchange(bool on) = 0;
};

}  // namespace stepgate
