// When requests arrive in an open loop: drawn before the pass, whether or not the server keeps up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stepgate {

/// `count` arrivals after the begin of a pass, in order. The gaps between them are exponential with mean 1 /
/// rate_per_s, as those of many independent clients are, and follow from `seed` alone. `rate_per_s` is positive.
std::vector<std::int64_t> scheduled_arrivals(double rate_per_s, std::int64_t count, std::uint64_t seed);

/// By how much arrivals were announced after their time.
struct Lateness {
  std::int64_t most_ns = 0;   ///< of one of them
  std::int64_t total_ns = 0;  ///< of all

  bool operator==(const Lateness&) const = default;
};

/// Announces arrivals at their time.
class Arrivals {
 public:
  virtual ~Arrivals() = default;
  /// Returns the moment on the host clock from which `arrival_ns` counts. Called once.
  virtual std::int64_t begin(const std::vector<std::int64_t>& arrival_ns) = 0;
  /// Returns when that request has been announced. Called within what is measured.
  virtual void wait_for(std::size_t request) = 0;
  /// After the last request was announced.
  virtual Lateness late() const = 0;
  /// The CPU on which arrivals are announced.
  virtual int cpu() const = 0;

 protected:
  Arrivals() = default;
  Arrivals(const Arrivals&) = default;
  Arrivals& operator=(const Arrivals&) = default;
};

}  // namespace stepgate
