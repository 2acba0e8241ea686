#include "diagnose/difference/process_speed.h"

#include <algorithm>
#include <cmath>

#include "stats/mean_interval.h"
#include "stats/summary.h"

namespace stepgate {
namespace {

/// Own choice: rows of less than a tenth of the base's operators say nothing of the others. A step that runs in one
/// call has few rows in common with the same step operator by operator.
constexpr double least_share = 0.1;

/// -1: head has less in every process; 1: more in every process; 0: neither.
int direction_of(const MatchedRow& row, double RowWork::*number) {
  const auto less = [&](const RowWork& a, const RowWork& b) { return a.*number < b.*number; };
  const auto [base_low, base_high] = std::minmax_element(row.base.begin(), row.base.end(), less);
  const auto [head_low, head_high] = std::minmax_element(row.head.begin(), row.head.end(), less);
  if ((*head_low).*number > (*base_high).*number) return 1;
  return (*head_high).*number < (*base_low).*number ? -1 : 0;
}

double typical_self_ns(const std::vector<RowWork>& processes) {
  std::vector<double> times;
  for (const RowWork& work : processes) times.push_back(work.self_ns);
  return median(times);
}

/// Rows that tell the speed of a process; none where they are too small a part of the step.
std::vector<const MatchedRow*> steady_rows(const std::vector<MatchedRow>& rows, double least_ns) {
  std::vector<const MatchedRow*> steady;
  double all_ns = 0;
  double steady_ns = 0;
  for (const MatchedRow& row : rows) {
    const double typical_ns = typical_self_ns(row.base);
    all_ns += typical_ns;
    if (work_change(row) != WorkChange::none || typical_ns < std::max(least_ns, 1.0)) continue;
    steady_ns += typical_ns;
    steady.push_back(&row);
  }
  return steady_ns < least_share * all_ns ? std::vector<const MatchedRow*>() : steady;
}

std::vector<double> side_factors(const std::vector<const MatchedRow*>& rows, std::vector<RowWork> MatchedRow::*side,
                                 std::size_t processes) {
  std::vector<double> factors;
  for (std::size_t i = 0; i < processes; ++i) {
    std::vector<double> ratios;
    for (const MatchedRow* row : rows) ratios.push_back((row->*side)[i].self_ns / typical_self_ns(row->base));
    const double factor = ratios.empty() ? 1 : median(ratios);
    factors.push_back(factor > 0 ? factor : 1);
  }
  return factors;
}

}  // namespace

WorkChange work_change(const MatchedRow& row) {
  if (!row.in_base) return WorkChange::added;
  if (!row.in_head) return WorkChange::removed;
  bool more = false;
  bool less = false;
  for (double RowWork::*number : {&RowWork::calls, &RowWork::flops, &RowWork::bytes}) {
    const int direction = direction_of(row, number);
    more = more || direction > 0;
    less = less || direction < 0;
  }
  if (more && less) return WorkChange::other;
  if (more) return WorkChange::more;
  return less ? WorkChange::less : WorkChange::none;
}

ProcessSpeeds process_speeds(const std::vector<MatchedRow>& rows, double least_ns) {
  if (rows.empty()) return {};
  const auto steady = steady_rows(rows, least_ns);
  return {side_factors(steady, &MatchedRow::base, rows.front().base.size()),
          side_factors(steady, &MatchedRow::head, rows.front().head.size())};
}

CommonFactor common_factor(const ProcessSpeeds& speeds, double level) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < speeds.base.size(); ++i) logs.push_back(std::log(speeds.head[i] / speeds.base[i]));
  if (logs.empty()) return {};
  if (logs.size() < 2) {
    const double ratio = std::exp(logs.front());
    return {.ratio = ratio, .lower = ratio, .upper = ratio};
  }
  const MeanInterval found = mean_interval(logs, level);
  return {.ratio = std::exp(found.mean),
          .lower = std::exp(found.lower),
          .upper = std::exp(found.upper),
          .differs = found.lower > 0 || found.upper < 0};
}

void divide_out(const ProcessSpeeds& speeds, std::vector<MatchedRow>& rows) {
  for (MatchedRow& row : rows) {
    for (std::size_t i = 0; i < row.base.size(); ++i) row.base[i].self_ns /= speeds.base[i];
    for (std::size_t i = 0; i < row.head.size(); ++i) row.head[i].self_ns /= speeds.head[i];
  }
}

}  // namespace stepgate
