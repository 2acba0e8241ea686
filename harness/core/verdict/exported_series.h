// The values of a run as other tools read them: one metric of one case, without a verdict.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/metric.h"

namespace stepgate {

struct ExportedSeries {
  std::string case_name;  ///< as exported_case_name(): it names an emulated GPU
  std::string metric;
  MetricUnit unit = MetricUnit::none;  ///< as in the catalogue
  Direction direction = Direction::neither;
  double value = 0;            ///< value of this run, in natural units
  std::vector<double> values;  ///< one per clean process where they are known, else `value` alone; never empty

  std::string label() const { return case_name + ":" + metric; }  ///< unique within a run
};

struct ExportedRun {
  std::string utc;  ///< "2026-11-22T05:34:50Z"
  std::int64_t unix_s = 0;
  std::string commit;
  std::string runner_class;
  std::string emulated_gpu = {};  ///< "emulated H100"; "" for a real machine
  std::string stepgate_version;
  std::vector<ExportedSeries> series;
};

}  // namespace stepgate
