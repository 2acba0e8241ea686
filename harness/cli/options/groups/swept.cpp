#include "cli/options/groups/swept.h"

namespace stepgate {

OptionRow metric_row(std::string& metric) {
  return {Topic::pairs,
          "metric",
          "NAME",
          "",
          "metric that settings are ranked by (default samples_per_s), or that a history shows",
          text_into(metric, "the name of a timed metric, e.g. samples_per_s")};
}

OptionRows rows_of(Swept& o) {
  return {
      {Topic::pairs, "vary", "NAME=A,B,...", "", "values of a parameter (or of threads); may be repeated",
       texts_into(o.vary, "a name and its values, e.g. batch_size=4,8,16")},
      metric_row(o.metric),
  };
}

std::string ranking_metric(const Swept& o) { return o.metric.empty() ? "samples_per_s" : o.metric; }

}  // namespace stepgate
