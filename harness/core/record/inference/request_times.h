// How long each request of an inference case took, in one process. A percentile of them is one value of the process:
// requests of one process are never treated as independent.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace stepgate {

/// When the tokens of a request were there, for a case that marks them; one entry for each request that marked any.
struct TokenTimes {
  std::vector<std::int64_t> first_ns = {};  ///< from the begin of the request's latency to its first token
  std::vector<std::int64_t> next_ns = {};   ///< mean over its further tokens; no entry for a request with one token
  std::int64_t tokens = 0;                  ///< of all requests together

  bool operator==(const TokenTimes&) const = default;
};

/// Pass requests, a closed loop: the next request begins when the one before has its answer.
struct ClosedLoop {
  std::string clock;  ///< as TimedPass::clock
  /// Sum over the blocks of requests, each from its first begin to its last end. It includes logging, which no latency
  /// does, and what happens between two requests. Throughput is latency_ns.size() / wall_ns.
  std::int64_t wall_ns = 0;
  /// In the order of the requests: from the begin of data_wait to the moment at which the answer is on the host, after
  /// boundary post and with the device idle.
  std::vector<std::int64_t> latency_ns = {};
  /// Boundary name -> its host time in each request, without logging. On an asynchronous device it is enqueue time.
  std::map<std::string, std::vector<std::int64_t>> boundary_ns = {};
  /// Indices into latency_ns: requests with an input shape that the process had not met before. They are not left out.
  std::vector<std::int64_t> cold = {};
  std::int64_t samples = 0;  ///< of all requests together; 0: not declared
  TokenTimes tokens = {};

  bool operator==(const ClosedLoop&) const = default;
};

/// Pass open_requests, an open loop: requests arrive at moments that were drawn before, whether or not the one before
/// has its answer. Nothing is judged here: with these figures judge says whether the queue was stable.
struct OpenLoop {
  std::string clock;
  double rate_per_s = 0;           ///< asked for, by the case's parameter request_rate_per_s
  double capacity_per_s = 0;       ///< of the closed loop of this process: requests / wall_ns
  std::uint64_t arrival_seed = 0;  ///< gaps are exponential, drawn from it and the rate: equal in both builds of a pair
  std::int64_t generator_cpu = 0;  ///< the CPU on which arrivals were generated; no thread of the case runs there
  std::int64_t generator_late_ns = 0;        ///< the longest time by which the generator announced an arrival late
  std::int64_t generator_late_total_ns = 0;  ///< of all arrivals together; older programs keep the longest alone
  /// Scheduled arrival of each request, after the begin of the pass.
  std::vector<std::int64_t> arrival_ns = {};
  /// From its scheduled arrival to its answer, in the order of arrival. Request i had its answer at arrival_ns[i] +
  /// latency_ns[i] and was begun at the later of arrival_ns[i] and the end of request i - 1.
  std::vector<std::int64_t> latency_ns = {};
  TokenTimes tokens = {};  ///< first_ns from the scheduled arrival

  bool operator==(const OpenLoop&) const = default;
};

}  // namespace stepgate
