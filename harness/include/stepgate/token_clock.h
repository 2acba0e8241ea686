// When the tokens of a generated answer are there.
#pragma once

#include <cstdint>

#include "stepgate/host_clock.h"

namespace stepgate {

/// Of one request: its first token, its last one, and their number. A mark is one read of the clock and three stores.
class TokenClock {
 public:
  explicit TokenClock(HostClock clock = steady_clock_ns) : clock_(clock) {}

  /// A request begins.
  void begin() { tokens_ = 0; }
  /// A token is on the host.
  void note() {
    last_ns_ = clock_();
    if (tokens_++ == 0) first_ns_ = last_ns_;
  }

  std::int64_t tokens() const { return tokens_; }
  /// By the host clock; without a meaning where there are no tokens.
  std::int64_t first_ns() const { return first_ns_; }
  std::int64_t last_ns() const { return last_ns_; }

 private:
  HostClock clock_;
  std::int64_t tokens_ = 0;
  std::int64_t first_ns_ = 0;
  std::int64_t last_ns_ = 0;
};

}  // namespace stepgate
