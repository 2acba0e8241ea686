#include "cli/options/groups/judged_measurement.h"

#include "cli/options/groups/cases.h"

namespace stepgate {
namespace {

void need_no_times(const JudgedMeasurement& o, bool always_timed) {
  if (always_timed || o.tier == TierChoice::timed) refuse_emulated_times(o.tier);
  refuse_emulated_clocks(o.machine.quiet.guard);
}

OptionRows rows_of_emulated_gate(JudgedMeasurement& o) {
  return {hazards_row(o.seeks_hazards, o.device), calibration_row(o.calibration, o.device)};
}

}  // namespace

OptionRows rows_of(JudgedMeasurement& o, std::string_view command) {
  OptionRows rows = joined({rows_of(o.places),
                            {filter_row(o.filters), tier_row(o.tier)},
                            {replicates_row(o.replicates), exact_replicates_row(o.exact_replicates)},
                            rows_of(o.measuring),
                            {request_rate_row(o.request_rate), session_gap_row(o.session_gap_s)},
                            {device_row(o.device)},
                            command == "gate" ? rows_of_emulated_gate(o) : OptionRows{},
                            rows_of(o.machine),
                            rows_of(o.pairs, command),
                            rows_of(o.limits),
                            rows_of(o.output, command),
                            rows_of(o.judging),
                            {verbose_row(o.output.style), quiet_row(o.quiet)},
                            rows_of(o.output.style.table)});
  // The pairs of ab are made of times, so it takes the exact half only where that is asked for.
  add_need(rows, {"device"}, [&o, always_timed = command == "ab"] { need_no_times(o, always_timed); });
  return rows;
}

ProjectOptions project_options(const JudgedMeasurement& o) {
  ProjectOptions project = judged(project_options(o.places), o.judging);
  project.session_gap_s = o.session_gap_s;
  project.device = o.device;
  project.calibration = o.calibration;
  return project;
}

MeasureOptions measure_options(const JudgedMeasurement& o) {
  MeasureOptions measure = measure_options(o.measuring);
  measure.tier = measured_half(o.tier, o.device);
  measure.seeks_hazards = o.seeks_hazards;
  measure.timed_replicates = o.replicates;
  measure.exact_replicates = o.exact_replicates;
  measure.request_rate = o.request_rate;
  return measure;
}

PairOptions pair_options(const JudgedMeasurement& o) { return pair_options(o.places.base_build, o.pairs, o.limits); }

RepeatedOptions repeated_options(const JudgedMeasurement& o) {
  RepeatedOptions repeated = repeated_options(o.places.measured, o.measuring);
  repeated.baseline_root = o.places.baseline_root;
  repeated.base_build = o.places.base_build;
  repeated.replicates = o.replicates;
  repeated.exact_replicates = o.exact_replicates;
  repeated.request_rate = o.request_rate;
  repeated.session_gap_s = o.session_gap_s;
  repeated.guard = o.machine.quiet.guard.mode;
  repeated.knobs = o.machine.quiet.knobs;
  repeated.seeks_hazards = o.seeks_hazards;
  repeated.calibration = o.calibration;
  repeated.pairs = o.pairs;
  return repeated;
}

}  // namespace stepgate
