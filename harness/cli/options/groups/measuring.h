// How the processes of a case are measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/option_row.h"
#include "experiment/plan/measure_options.h"

namespace stepgate {

OptionRow replicates_row(std::optional<std::int64_t>& replicates);
OptionRow exact_replicates_row(std::optional<std::int64_t>& replicates);
OptionRow timeout_row(std::optional<double>& timeout_s);
OptionRow request_rate_row(std::string& rate);
OptionRow session_gap_row(std::optional<double>& gap_s);

/// Every command that measures.
struct Measuring {
  std::optional<std::int64_t> threads;
  std::optional<std::uint64_t> seed;
  std::string steps;                  ///< "e2e=60,window=10"
  std::vector<std::string> pass_env;  ///< one name each
  std::string malloc_policy;          ///< "tuned" or "system", "" for the plan's
  std::optional<double> timeout_s;
};
OptionRows rows_of(Measuring& o);
/// Leaves out the options that not all of these commands take: tier and numbers of processes.
MeasureOptions measure_options(const Measuring& o);

}  // namespace stepgate
