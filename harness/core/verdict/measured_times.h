// What `stepgate run` says of the times of one case, without a verdict.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/verdict/step_distribution.h"

namespace stepgate {

/// A latency over the processes: each gave one value.
struct MeasuredLatency {
  std::string label;  ///< "latency, P99"
  double median_ns = 0;
  std::optional<double> lowest_ns = std::nullopt;  ///< of a process; absent where the processes are not known
  std::optional<double> highest_ns = std::nullopt;
};

/// A rate of the e2e pass, or an energy: the median over the processes, or why it is absent.
struct MeasuredRate {
  std::string metric = {};
  std::optional<double> value = {};
  std::string why_absent = {};  ///< "" where it is present, or where nothing is known
};

struct MeasuredTimes {
  std::string case_name = "";
  std::vector<StepDistribution> distributions = {};
  std::vector<MeasuredRate> rates = {};                 ///< samples, steps, tokens per second, energies, in this order
  std::optional<double> tflop_per_s = std::nullopt;     ///< median over the processes
  std::optional<double> mfu_ratio = std::nullopt;       ///< likewise
  std::vector<MeasuredLatency> latencies = {};          ///< of a case that infers
  std::vector<std::string> missing_latencies = {};      ///< "latency, P99.9: needs 10 000 requests a process, ..."
  std::optional<double> requests_per_s = std::nullopt;  ///< median over the processes
  std::string why_no_mfu = {};                          ///< "" where it is present, or where no FLOPs are declared
};

}  // namespace stepgate
