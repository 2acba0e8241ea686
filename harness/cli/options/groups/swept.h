// The settings of a sweep, and the metric that something is shown or ranked by.
#pragma once

#include <string>
#include <vector>

#include "cli/options/option_row.h"

namespace stepgate {

OptionRow metric_row(std::string& metric);

/// Every command that plans a sweep.
struct Swept {
  std::vector<std::string> vary;  ///< NAME=VALUE,VALUE
  std::string metric;             ///< "" = the usual one
};
OptionRows rows_of(Swept& o);
/// The metric that settings are ranked by.
std::string ranking_metric(const Swept& o);

}  // namespace stepgate
