// The requests of processes under noise: what one process measures of its own requests, and how processes differ.
#pragma once

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace stepgate::lab {

/// Latencies are relative to the undisturbed request. 0 switches a part off.
struct RequestNoise {
  std::string name;
  double process_sd = 0.005;  ///< standard deviation of the level of one fresh process, log scale
  double request_sd = 0.05;   ///< the same of single requests within a process
  double slow_share = 0;      ///< share of requests that something interrupts ...
  double slow_size = 0;       ///< ... and that then take this much longer in the mean, exponentially distributed ...
  double slow_run = 1;        ///< ... in runs of so many requests in the mean
  double share_sd = 0;        ///< standard deviation of the logarithm of that share from process to process
  double tail_index = 0;      ///< > 0: interruptions have a Pareto tail with this index in place of an exponential one
  /// Latencies of an unchanged build, one list for each process, in the order measured: replaces all of the above.
  std::vector<std::vector<double>> recorded = {};
};

/// Every model of the lab, in the order of the table.
std::vector<RequestNoise> request_noises();

/// One model for each file {"name": ..., "processes": [[...], ...]} in `folder`: latencies of the processes of an
/// unchanged build in the order measured, natural units. Empty if the folder is missing or has none.
/// Throws Error naming the file if one is damaged, has fewer than 16 processes or one with fewer than 200 requests.
std::vector<RequestNoise> recorded_requests(const std::string& folder);

/// What the head's requests have that those of the base have not.
struct RequestFault {
  double change = 0;              ///< every request takes this much longer
  std::int64_t stalled_each = 0;  ///< > 0: each so many-th request stalls ...
  double stall_size = 0;          ///< ... and takes this much longer
};

/// Draws the requests of one process after another.
class RequestMachine {
 public:
  /// The same noise and seed give the same requests on every machine (Boost.Random).
  RequestMachine(const RequestNoise& noise, std::uint64_t seed);

  /// Latencies of the next process, in the order of its requests.
  void next_process(std::int64_t requests, const RequestFault& fault, std::vector<double>& latencies);

  bool draw(double probability) { return uniform_(generator_) < probability; }

 private:
  void draw_modelled(std::vector<double>& latencies);
  void draw_recorded(std::vector<double>& latencies);
  double interruption();

  const RequestNoise& noise_;
  std::mt19937_64 generator_;
  boost::random::normal_distribution<double> normal_;
  boost::random::exponential_distribution<double> exponential_;
  boost::random::uniform_01<double> uniform_;
  std::size_t place_ = 0;  ///< the recorded process that comes next
};

}  // namespace stepgate::lab
