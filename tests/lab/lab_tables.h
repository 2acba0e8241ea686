// The tables of the lab.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stepgate::lab {

/// Promised: at most this share of suites has a false red, and at most this share of true regressions is green.
inline constexpr double promised_share = 0.05;
inline constexpr std::int64_t cases_of_suite = 20;

struct LabRequest {
  std::int64_t suites = 10'000;
  /// Comma-separated: paired, nodes, control, cases, background, mde, stored, machine, weights, bytes, latency (1 000
  /// requests a process), tails (10 000).
  std::string tables;
  std::string traces;    ///< folder of recorded traces
  std::string requests;  ///< folder of recorded requests
  std::uint64_t seed = 1;
};

struct LabReport {
  std::vector<std::string> broken;  ///< promises that a figure broke beyond chance (its lower 97.5 % limit)
  std::string csv;                  ///< table,row,column,value,lower,upper
};

/// Prints each finished table.
LabReport run_lab(const LabRequest& request);

// Each of the following prints one table and adds to `report`.
void paired_table(const LabRequest& request, std::int64_t metrics_per_case, LabReport& report);
void nodes_table(const LabRequest& request, LabReport& report);
void control_table(const LabRequest& request, LabReport& report);
void case_tables(const LabRequest& request, LabReport& report);
void background_table(const LabRequest& request, LabReport& report);
void detection_table(const LabRequest& request, LabReport& report);
void stored_table(const LabRequest& request, LabReport& report);
void machine_table(const LabRequest& request, LabReport& report);
void prior_weight_table(const LabRequest& request, LabReport& report);
void bytes_table(const LabRequest& request, LabReport& report);
void latency_table(const LabRequest& request, std::int64_t requests, LabReport& report);

}  // namespace stepgate::lab
