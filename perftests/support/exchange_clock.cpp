#include "support/exchange_clock.h"

#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>

namespace stepgate {
namespace {

std::int64_t now_ns() {
  const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since_start).count();
}

class HostExchangeClock final : public ExchangeClock {
 public:
  void new_step() override { sum_.reset(); }

  void starts() override {
    begin_ns_ = 0;
    begun_ = 0;
    told_ = std::make_shared<Told>();  // a late callback of an earlier pass must not count here
  }

  void begun(c10d::Work& work) override {
    if (begin_ns_ == 0) begin_ns_ = now_ns();
    ++begun_;
    // Shared, because a worker thread may call it after this clock was destroyed.
    work.getFuture()->addCallback([told = told_](c10::ivalue::Future&) {
      raise_to(told->latest_ns, now_ns());
      told->exchanges.fetch_add(1);
    });
  }

  void waits() override { wait_begin_ns_ = now_ns(); }

  void waited() override {
    const std::int64_t end_ns = now_ns();
    // The wait may return before the worker thread reports the last exchange, which then ended about now.
    const bool all_told = told_->exchanges.load() == begun_;
    const std::int64_t complete_ns = all_told ? std::min(told_->latest_ns.load(), end_ns) : end_ns;
    if (!sum_) sum_.emplace();
    sum_->allreduce_ns += complete_ns - begin_ns_;
    sum_->wait_ns += std::min(end_ns - wait_begin_ns_, complete_ns - begin_ns_);
    last_ = sum_;
  }

  std::optional<Communication> last() override { return last_; }

 private:
  struct Told {
    std::atomic<std::int64_t> latest_ns{0};
    std::atomic<std::int64_t> exchanges{0};
  };

  static void raise_to(std::atomic<std::int64_t>& latest, std::int64_t ns) {
    std::int64_t seen = latest.load();
    while (seen < ns && !latest.compare_exchange_weak(seen, ns)) {
    }
  }

  std::int64_t begin_ns_ = 0;
  std::int64_t wait_begin_ns_ = 0;
  std::int64_t begun_ = 0;
  std::shared_ptr<Told> told_ = std::make_shared<Told>();
  std::optional<Communication> sum_;  ///< of the step so far
  std::optional<Communication> last_;
};

class DeviceExchangeClock final : public ExchangeClock {
 public:
  explicit DeviceExchangeClock(const torch::Device& device) : device_(device), streams_(device.type()) {
    for (Pass& pass : passes_) pass = Pass(device.type());
  }

  void new_step() override {
    ++step_;
    in_step_ = 0;
  }

  void starts() override {
    ++newest_;
    current().step = step_;
    current().in_step = in_step_++;
    current().is_begun = current().is_complete = false;
  }

  void begun(c10d::Work& /*work*/) override {
    if (current().is_begun) return;
    current().is_begun = true;
    record(*current().begin);
  }

  void waits() override { record(*current().wait); }

  void waited() override {
    record(*current().end);
    current().is_complete = true;
  }

  std::optional<Communication> last() override {
    for (std::size_t step = step_; step > 0 && step + passes_.size() > step_; --step) {
      if (auto sum = sum_of(step)) return sum;
    }
    return std::nullopt;
  }

 private:
  struct Pass {
    std::unique_ptr<c10::Event> begin;
    std::unique_ptr<c10::Event> wait;
    std::unique_ptr<c10::Event> end;
    std::size_t step = 0;     ///< 0: never used
    std::size_t in_step = 0;  ///< number of the pass within the step, from 0
    bool is_begun = false;
    bool is_complete = false;

    Pass() = default;
    explicit Pass(c10::DeviceType type)
        : begin(timing_event(type)), wait(timing_event(type)), end(timing_event(type)) {}
    /// With an explicit flag, because the default flag disables timing.
    static std::unique_ptr<c10::Event> timing_event(c10::DeviceType type) {
      return std::make_unique<c10::Event>(type, c10::EventFlag::BACKEND_DEFAULT);
    }
  };

  /// Absent unless the device has finished all passes of the step and all of them are still stored.
  std::optional<Communication> sum_of(std::size_t step) const {
    Communication sum;
    std::size_t found = 0;
    std::size_t last_in_step = 0;
    for (const Pass& pass : passes_) {
      if (pass.step != step) continue;
      if (!pass.is_complete || !pass.end->query()) return std::nullopt;
      ++found;
      last_in_step = std::max(last_in_step, pass.in_step);
      sum.allreduce_ns += ns_between(*pass.begin, *pass.end);
      sum.wait_ns += ns_between(*pass.wait, *pass.end);
    }
    if (found == 0 || found != last_in_step + 1) return std::nullopt;
    return sum;
  }

  Pass& current() { return passes_[newest_ % passes_.size()]; }
  void record(c10::Event& event) { event.record(streams_.getStream(device_)); }
  static std::int64_t ns_between(const c10::Event& from, const c10::Event& to) {
    return std::llround(from.elapsedTime(to) * 1e6);  // elapsedTime() gives milliseconds
  }

  torch::Device device_;
  c10::impl::VirtualGuardImpl streams_;
  std::array<Pass, 64> passes_;  ///< the host runs a few steps ahead of a GPU, and a step may have several passes
  std::size_t newest_ = 0;
  std::size_t step_ = 0;
  std::size_t in_step_ = 0;
};

}  // namespace

std::unique_ptr<ExchangeClock> make_exchange_clock(const torch::Device& device) {
  if (device.is_cpu()) return std::make_unique<HostExchangeClock>();
  return std::make_unique<DeviceExchangeClock>(device);
}

}  // namespace stepgate
