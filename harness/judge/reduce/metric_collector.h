// Collects the timed metrics of one replicate, except those that the record declares absent.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/record/run_record.h"
#include "judge/reduce/timed_values.h"

namespace stepgate {

class MetricCollector {
 public:
  /// `record` must outlive this.
  explicit MetricCollector(const RunRecord& record) : declared_(record.absent) { result_.absent = record.absent; }

  void add(const std::string& metric, double value) {
    if (!declared_.contains(metric)) result_.values[metric] = value;
  }
  /// Takes a value back that says less than another one.
  void withdraw(const std::string& metric, const std::string& reason) {
    result_.values.erase(metric);
    miss(metric, reason);
  }
  void miss(const std::string& metric, const std::string& reason) { result_.absent.try_emplace(metric, reason); }
  /// Adds a value that is valid only above zero.
  void add_positive(const std::string& metric, double value, const std::string& reason) {
    value > 0 ? add(metric, value) : miss(metric, reason);
  }
  std::optional<double> value(const std::string& metric) const {
    const auto at = result_.values.find(metric);
    return at == result_.values.end() ? std::nullopt : std::optional(at->second);
  }
  TimedValues take() { return std::move(result_); }

 private:
  const std::map<std::string, std::string>& declared_;
  TimedValues result_;
};

}  // namespace stepgate
