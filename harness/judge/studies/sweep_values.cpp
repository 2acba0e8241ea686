#include "judge/studies/sweep_values.h"

#include "core/leading_time.h"
#include "judge/reduce/reduce_timed.h"
#include "judge/reduce/timed_values.h"

namespace stepgate {

SweepReading sweep_reading(const RunRecord& record, const std::string& metric) {
  const TimedValues found = timed_values(record);
  SweepReading reading;
  if (const auto value = found.values.find(metric); value != found.values.end()) {
    reading.value = value->second;
  } else {
    const auto reason = found.absent.find(metric);
    reading.absent = reason == found.absent.end() ? "no pass measures it" : reason->second;
  }
  for (const char* name : {"stall_ratio", "supply_ratio"}) {
    if (const auto value = found.values.find(name); value != found.values.end()) reading.beside.insert(*value);
  }
  const auto wait = found.values.find("data_wait_ns");
  const auto step = found.values.find(leading_time_of(found.values));
  if (wait != found.values.end() && step != found.values.end() && step->second > 0) {
    reading.beside["data_wait_ratio"] = wait->second / step->second;
  }
  return reading;
}

}  // namespace stepgate
