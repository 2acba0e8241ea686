// Tables of inference cases: what mean and P99 of thousands of requests are worth.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "core/stored/metric_margins.h"
#include "lab/lab_tables.h"
#include "lab/request_suites.h"
#include "lab/table_row.h"

namespace stepgate::lab {
namespace {

constexpr std::int64_t gating_times_of_case = 5;
/// A case simulates thousands of requests for each of up to 32 processes, so that a tenth of the suites takes as long.
constexpr std::int64_t suites_divisor = 10;
constexpr std::int64_t fewest_suites = 20;
constexpr double promised_stalls_found = 0.95;

/// Stalls as the zoo injects them: in each 50th request P99 sees them, in each 200th only the mean and the longest do.
constexpr RequestFault frequent_stall = {.stalled_each = 50, .stall_size = 5};
constexpr RequestFault rare_stall = {.stalled_each = 200, .stall_size = 12};

std::vector<RequestNoise> all_noises(const LabRequest& request) {
  std::vector<RequestNoise> noises = request_noises();
  std::vector<RequestNoise> recorded = recorded_requests(request.requests);
  if (recorded.empty()) fmt::print("no recorded requests in '{}': that row is missing\n", request.requests);
  std::move(recorded.begin(), recorded.end(), std::back_inserter(noises));
  return noises;
}

/// One row: what each verdict says without a change, at both margins of each metric, and with stalls.
class NoiseRow {
 public:
  NoiseRow(RequestSuites plan, RowWriter& row, LabReport& report) : plan_(plan), row_(row), report_(report) {}

  void write() {
    row_.begin(plan_.noise.name);
    const RequestOutcome none = with({});
    false_red("false red at 0", none.red_suites);
    row_.share("P99 left open", share_of(none.p99_left_open, none.p99.metrics));
    row_.number("pairs, mean", pairs_of_verdict(none.mean));
    row_.number("pairs, P99", pairs_of_verdict(none.p99));
    const RequestOutcome ignorable = with({.change = plan_.mean_margins.ignore});
    false_red("false red at +1 %", ignorable.red_suites);
    const RequestOutcome slower = with({.change = plan_.mean_margins.matter});
    false_pass("mean at +5 %: passed", slower.mean);
    row_.share("red", share_of(slower.mean.regressed, slower.mean.metrics));
    const RequestOutcome p99_ignorable = with({.change = plan_.p99_margins.ignore});
    false_red("P99 at +5 %: false red", p99_ignorable.p99.red_suites);
    const RequestOutcome p99_slower = with({.change = plan_.p99_margins.matter});
    false_pass("P99 at +20 %: passed", p99_slower.p99);
    row_.share("red", share_of(p99_slower.p99.regressed, p99_slower.p99.metrics));
    write_stalls();
    row_.end();
  }

 private:
  static double pairs_of_verdict(const SuiteOutcome& outcome) {
    return static_cast<double>(outcome.pairs) / static_cast<double>(outcome.metrics);
  }

  RequestOutcome with(const RequestFault& fault) {
    plan_.fault = fault;
    ++plan_.seed;
    return simulate(plan_);
  }

  void false_red(const char* column, std::int64_t red_suites) {
    const Share share = share_of(red_suites, plan_.suites);
    row_.share(column, share);
    if (share.lower > promised_share) broken(column, share);
  }

  void false_pass(const char* column, const SuiteOutcome& outcome) {
    const Share share = share_of(outcome.passed, outcome.metrics);
    row_.share(column, share);
    if (share.lower > promised_share) broken(column, share);
  }

  void write_stalls() {
    const RequestOutcome frequent = with(frequent_stall);
    row_.share("stall/50: P99 red", share_of(frequent.p99.regressed, frequent.p99.metrics));
    const RequestOutcome rare = with(rare_stall);
    row_.share("stall/200: mean red", share_of(rare.mean.regressed, rare.mean.metrics));
    row_.share("P99 red", share_of(rare.p99.regressed, rare.p99.metrics));
    row_.share("longest red", share_of(rare.highest_red, rare.mean.metrics));
    if (plan_.noise.name != "requests-5%") return;  // a quiet machine promises detection
    must_be_found("stall/50: P99 red", frequent.p99);
    must_be_found("stall/200: mean red", rare.mean);
  }

  void must_be_found(const char* column, const SuiteOutcome& outcome) {
    const Share share = share_of(outcome.regressed, outcome.metrics);
    if (share.upper < promised_stalls_found) broken(column, share);
  }

  void broken(const char* column, const Share& share) {
    report_.broken.push_back(
        fmt::format("{}, {} requests: {} {}", plan_.noise.name, plan_.requests, column, show(share)));
  }

  RequestSuites plan_;
  RowWriter& row_;
  LabReport& report_;
};

}  // namespace

void latency_table(const LabRequest& request, std::int64_t requests, LabReport& report) {
  const std::int64_t suites = std::max(fewest_suites, request.suites / suites_divisor);
  RowWriter row(fmt::format("Inference, {} requests a process, {} cases, M = {}, {} suites a row", requests,
                            cases_of_suite, gating_times_of_case * cases_of_suite, suites),
                fmt::format("latency-{}", requests), report.csv);
  for (const RequestNoise& noise : all_noises(request)) {
    NoiseRow({.noise = noise,
              .requests = requests,
              .mean_margins = margins_of(Policy{}, "latency_mean_ns"),
              .p99_margins = margins_of(Policy{}, "latency_p99_ns"),
              .hypotheses = gating_times_of_case * cases_of_suite,
              .suites = suites,
              .cases = cases_of_suite,
              .seed = request.seed},
             row, report)
        .write();
  }
}

}  // namespace stepgate::lab
