#include "measure/program/case/emulated_times.h"

#include <map>
#include <string>

#include "core/metric.h"

namespace stepgate {
namespace {

constexpr const char* no_emulated_times = "an emulated GPU has no times";

bool is_of_time(const Metric* metric) { return metric != nullptr && depends_on_time(metric->unit); }

/// Takes the times out of values by name, and gives them the reason.
template <typename Values, typename Find>
void drop_times(Values& values, const Find& find, std::map<std::string, std::string>& absent) {
  std::erase_if(values, [&](const auto& entry) {
    if (!is_of_time(find(entry.first))) return false;
    absent[entry.first] = no_emulated_times;
    return true;
  });
}

}  // namespace

void drop_emulated_times(RunRecord& record) {
  if (record.counts && record.counts->observed) {
    for (OperatorSite& site : record.counts->observed->sites) site.self_ns = site.total_ns = 0;
  }
  if (record.counts) drop_times(record.counts->per_step, find_metric, record.absent);
  if (record.memory) drop_times(record.memory->series, find_series, record.memory->absent);
}

}  // namespace stepgate
