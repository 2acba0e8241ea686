#include "experiment/bytes_confirmation.h"

#include <algorithm>

#include "cli/progress.h"
#include "core/metric.h"
#include "experiment/pair_run.h"
#include "experiment/pipeline.h"
#include "experiment/result_files.h"
#include "launch/stored_records.h"

namespace stepgate {

std::int64_t exact_processes(const Measurement& measurement) {
  return std::count_if(measurement.replicates.begin(), measurement.replicates.end(), [](const Replicate& replicate) {
    return replicate.group == Group::exact && replicate.record.has_value();
  });
}

std::int64_t processes_to_confirm(const CaseVerdict& verdict, const Measurement& measurement) {
  if (verdict.status == Status::failed) return 0;
  const bool red = std::any_of(verdict.metrics.begin(), verdict.metrics.end(), [](const MetricVerdict& each) {
    const Metric* metric = find_metric(each.metric);
    return metric != nullptr && metric->tier == Tier::bytes && each.gating && each.status == Status::regressed &&
           each.reason != "over-budget";  // more processes take back no budget
  });
  return red ? std::max<std::int64_t>(0, confirming_processes - exact_processes(measurement)) : 0;
}

Measurement with_more_processes(const Screened& screened, const std::atomic<int>& interrupted) {
  LaunchRequest request = request_for(screened.context, screened.entry);
  request.groups = {Group::exact};
  request.plan.exact_replicates = screened.more;
  const std::filesystem::path folder = request.out_dir;
  request.out_dir = folder / "confirm";
  Measurement more = measure_case(request, {progress_line(screened.context.options), &interrupted});
  clear_progress_line(screened.context.options);
  Measurement all = screened.measurement;
  if (was_interrupted(more)) return all;
  all.replicates.insert(all.replicates.end(), more.replicates.begin(), more.replicates.end());
  write_measurement(folder, all);
  remove_stored_records(request.out_dir, more);
  return all;
}

}  // namespace stepgate
