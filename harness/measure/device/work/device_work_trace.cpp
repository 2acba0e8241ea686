#include "measure/device/work/device_work_trace.h"

#include <algorithm>

namespace stepgate {

std::int64_t union_ns(std::vector<WorkInterval> intervals, const WorkInterval& window) {
  std::sort(intervals.begin(), intervals.end(),
            [](const WorkInterval& a, const WorkInterval& b) { return a.begin_ns < b.begin_ns; });
  std::int64_t covered = 0;
  std::int64_t until = window.begin_ns;  // everything before it is counted or outside
  for (const WorkInterval& one : intervals) {
    const std::int64_t begin = std::max(one.begin_ns, until);
    const std::int64_t end = std::min(one.end_ns, window.end_ns);
    if (end <= begin) continue;
    covered += end - begin;
    until = end;
  }
  return covered;
}

}  // namespace stepgate
