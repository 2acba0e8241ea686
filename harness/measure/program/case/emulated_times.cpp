#include "measure/program/case/emulated_times.h"

#include <map>
#include <string>

#include "core/metric.h"

namespace stepgate {
namespace {

constexpr const char* no_emulated_times = "an emulated GPU has no times";

bool is_series_of_time(const std::string& series) {
  const Metric* metric = find_series(series);
  return metric != nullptr && depends_on_time(metric->unit);
}

}  // namespace

void drop_emulated_times(RunRecord& record) {
  if (record.counts && record.counts->observed) {
    for (OperatorSite& site : record.counts->observed->sites) site.self_ns = site.total_ns = 0;
  }
  if (!record.memory) return;
  std::erase_if(record.memory->series, [&](const auto& entry) {
    if (!is_series_of_time(entry.first)) return false;
    record.memory->absent[entry.first] = no_emulated_times;
    return true;
  });
}

}  // namespace stepgate
