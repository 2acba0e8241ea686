#include "report/gate/distribution_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/metric.h"
#include "core/text/number_format.h"
#include "report/text/clean_text.h"
#include "report/text/console_page.h"

namespace stepgate {
namespace {

constexpr std::size_t what_width = 17;
constexpr std::size_t value_width = 8;
constexpr std::string_view meaning =
    "These figures describe, they test nothing: steps of one process depend on each other. Verdicts compare processes.";

struct Scale {
  const char* unit;
  double ns;
};

/// The unit is chosen by the median, so that a row has one unit.
Scale scale_of(double ns) {
  if (ns < 1e3) return {"ns", 1};
  if (ns < 1e6) return {"us", 1e3};
  if (ns < 1e9) return {"ms", 1e6};
  return {"s", 1e9};
}

/// Four significant digits, "12 345" never: at most seven columns.
std::string value_text(std::optional<double> ns, const Scale& scale) {
  if (!ns) return "-";
  const double value = *ns / scale.ns;
  const int digits = value < 1 ? 4 : std::clamp(3 - static_cast<int>(std::floor(std::log10(value))), 0, 3);
  return fmt::format("{:.{}f}", value, digits);
}

std::string line_of(const StepDistribution& row, const ConsolePage& page) {
  const Scale scale = scale_of(row.median_ns);
  const std::string name = shortened(page.clean(row.what), what_width, page.style().ascii);
  std::string line = fmt::format("  {} {:>2}", padded_right(name, what_width), scale.unit);
  for (const std::optional<double>& ns :
       {std::optional(row.mean_ns), std::optional(row.median_ns), row.sd_ns, row.p95_ns, row.p99_ns,
        std::optional(row.min_ns), std::optional(row.max_ns)}) {
    line += fmt::format("{:>{}}", value_text(ns, scale), value_width);
  }
  return line;
}

std::string columns_line() {
  std::string line = fmt::format("  {}   ", padded_right("time", what_width));
  for (const char* column : {"mean", "median", "sd", "P95", "P99", "min", "max"})
    line += fmt::format("{:>{}}", column, value_width);
  return line;
}

/// "180 steps in 3 processes": the same for all rows of a pass.
std::string count_of(const StepDistribution& row) {
  const std::string processes = counted(row.processes, "process", "processes");
  if (row.unit == DistributionUnit::process) return processes;
  const std::string_view many = row.unit == DistributionUnit::copy ? "copies" : "";
  return fmt::format("{} in {}", counted(row.n, name_of(row.unit), many), processes);
}

/// "n: 180 steps in 3 processes (step, data wait), 90 steps in 3 processes (forward, backward)"
std::string counts_text(const std::vector<StepDistribution>& rows) {
  std::string text;
  for (auto row = rows.begin(); row != rows.end();) {
    const std::string count = count_of(*row);
    std::string names;
    for (; row != rows.end() && count_of(*row) == count; ++row) names += (names.empty() ? "" : ", ") + row->what;
    text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", count, names);
  }
  return text;
}

/// "4 480 samples/s, 70 steps/s, 71 700 tokens/s (effective tokens)": rates of two kinds of tokens have one unit.
std::string rates_text(const std::vector<MeasuredRate>& rates, bool of_energy) {
  std::string text;
  for (const MeasuredRate& rate : rates) {
    const MetricUnit unit = unit_of(rate.metric);
    if (!rate.value || (unit == MetricUnit::joule) != of_energy) continue;
    text += (text.empty() ? "" : ", ") + quantity_text(unit, *rate.value);
    if (of_energy || unit == MetricUnit::tokens_per_s) text += fmt::format(" ({})", label_of(rate.metric));
  }
  return text;
}

/// "samples: the workload counts no samples; effective tokens, padded tokens: the workload has no tokens". A counter of
/// energy that cannot be read is no fault of the case: its reason is in the measurement.
std::string absent_rates(const std::vector<MeasuredRate>& rates) {
  std::string text;
  for (auto rate = rates.begin(); rate != rates.end();) {
    const std::string& why = rate->why_absent;
    std::string names;
    for (; rate != rates.end() && rate->why_absent == why; ++rate) {
      if (!rate->value && unit_of(rate->metric) != MetricUnit::joule)
        names += (names.empty() ? "" : ", ") + label_of(rate->metric);
    }
    if (!names.empty() && !why.empty()) text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", names, why);
  }
  return text;
}

/// "412 TFLOP/s, 41.6 % of the device's peak (MFU)"
std::string flops_text(const MeasuredTimes& times) {
  if (!times.tflop_per_s) return "";
  const std::string rate = quantity_text(MetricUnit::tflop_per_s, *times.tflop_per_s);
  if (times.mfu_ratio) return fmt::format("{}, {} of the device's peak (MFU)", rate, share_text(*times.mfu_ratio));
  return times.why_no_mfu.empty() ? rate : fmt::format("{}; no MFU: {}", rate, times.why_no_mfu);
}

constexpr std::size_t latency_width = 34;

/// "1.21 ms   (1.19 ms to 1.24 ms)"
std::string latency_text(const MeasuredLatency& latency) {
  const std::string value = duration_text(latency.median_ns);
  if (!latency.lowest_ns || !latency.highest_ns || *latency.lowest_ns == *latency.highest_ns) return value;
  return fmt::format("{}  ({} to {})", padded_right(value, value_width), duration_text(*latency.lowest_ns),
                     duration_text(*latency.highest_ns));
}

void add_latencies(const MeasuredTimes& times, ConsolePage& page) {
  for (const MeasuredLatency& latency : times.latencies)
    page.line(fmt::format("  {} {}", padded_right(latency.label, latency_width), latency_text(latency)));
  if (times.requests_per_s)
    page.line(fmt::format("  {} {}", padded_right("throughput", latency_width),
                          quantity_text(MetricUnit::requests_per_s, *times.requests_per_s)));
  if (times.latencies.empty()) return;
  page.paragraph("", "Each latency is the median over processes, which give one value each, and their range.");
  for (const std::string& missing : times.missing_latencies) page.paragraph("missing", page.clean(missing));
}

std::string missing_percentiles(const std::vector<StepDistribution>& rows) {
  const auto few = [&](std::int64_t least) {
    return std::any_of(rows.begin(), rows.end(), [&](const StepDistribution& row) { return row.n < least; });
  };
  if (few(least_for_p95)) return fmt::format("P95 needs {} values, P99 needs {}.", least_for_p95, least_for_p99);
  return few(least_for_p99) ? fmt::format("P99 needs {} values.", least_for_p99) : "";
}

}  // namespace

std::string render_times(const MeasuredTimes& times, const ConsoleStyle& style) {
  if (times.distributions.empty()) return "";
  ConsolePage page(style);
  page.line(page.clean(times.case_name));
  page.line(columns_line());
  for (const StepDistribution& row : times.distributions) page.line(line_of(row, page));
  add_latencies(times, page);
  page.paragraph("rates", rates_text(times.rates, false));
  page.paragraph("absent", absent_rates(times.rates));
  page.paragraph("FLOPs", flops_text(times));
  page.paragraph("energy", rates_text(times.rates, true));
  page.paragraph("n", counts_text(times.distributions));
  page.paragraph("", missing_percentiles(times.distributions));
  page.paragraph("", meaning);
  return page.text();
}

}  // namespace stepgate
