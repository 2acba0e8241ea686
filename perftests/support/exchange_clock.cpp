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
  void starts() override {
    begin_ns_ = 0;
    complete_ns_->store(0);
  }

  void begun(c10d::Work& work) override {
    if (begin_ns_ == 0) begin_ns_ = now_ns();
    // Shared: a worker thread may be late to call it, after this clock is gone.
    work.getFuture()->addCallback([complete = complete_ns_](c10::ivalue::Future&) { raise_to(*complete, now_ns()); });
  }

  void waits() override { wait_begin_ns_ = now_ns(); }

  void waited() override {
    const std::int64_t end_ns = now_ns();
    const std::int64_t told_ns = complete_ns_->load();
    const std::int64_t complete_ns = told_ns == 0 ? end_ns : std::min(told_ns, end_ns);
    last_ = Communication{.allreduce_ns = complete_ns - begin_ns_,
                          .wait_ns = std::min(end_ns - wait_begin_ns_, complete_ns - begin_ns_)};
  }

  std::optional<Communication> last() override { return last_; }

 private:
  static void raise_to(std::atomic<std::int64_t>& latest, std::int64_t ns) {
    std::int64_t seen = latest.load();
    while (seen < ns && !latest.compare_exchange_weak(seen, ns)) {
    }
  }

  std::int64_t begin_ns_ = 0;
  std::int64_t wait_begin_ns_ = 0;
  std::shared_ptr<std::atomic<std::int64_t>> complete_ns_ = std::make_shared<std::atomic<std::int64_t>>(0);
  std::optional<Communication> last_;
};

class DeviceExchangeClock final : public ExchangeClock {
 public:
  explicit DeviceExchangeClock(const torch::Device& device) : device_(device), streams_(device.type()) {
    for (Pass& pass : passes_) pass = Pass(device.type());
  }

  void starts() override {
    ++newest_;
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
    for (std::size_t back = 0; back < std::min(passes_.size(), newest_); ++back) {
      const Pass& pass = passes_[(newest_ - back) % passes_.size()];
      if (!pass.is_complete || !pass.end->query()) continue;
      return Communication{.allreduce_ns = ns_between(*pass.begin, *pass.end),
                           .wait_ns = ns_between(*pass.wait, *pass.end)};
    }
    return std::nullopt;
  }

 private:
  struct Pass {
    std::unique_ptr<c10::Event> begin;
    std::unique_ptr<c10::Event> wait;
    std::unique_ptr<c10::Event> end;
    bool is_begun = false;
    bool is_complete = false;

    Pass() = default;
    explicit Pass(c10::DeviceType type)
        : begin(timing_event(type)), wait(timing_event(type)), end(timing_event(type)) {}
    /// The default flag has no times.
    static std::unique_ptr<c10::Event> timing_event(c10::DeviceType type) {
      return std::make_unique<c10::Event>(type, c10::EventFlag::BACKEND_DEFAULT);
    }
  };

  Pass& current() { return passes_[newest_ % passes_.size()]; }
  void record(c10::Event& event) { event.record(streams_.getStream(device_)); }
  static std::int64_t ns_between(const c10::Event& from, const c10::Event& to) {
    return std::llround(from.elapsedTime(to) * 1e6);  // it tells milliseconds
  }

  torch::Device device_;
  c10::impl::VirtualGuardImpl streams_;
  std::array<Pass, 8> passes_;  ///< hosts run a few steps ahead of a GPU
  std::size_t newest_ = 0;
};

}  // namespace

std::unique_ptr<ExchangeClock> make_exchange_clock(const torch::Device& device) {
  if (device.is_cpu()) return std::make_unique<HostExchangeClock>();
  return std::make_unique<DeviceExchangeClock>(device);
}

}  // namespace stepgate
