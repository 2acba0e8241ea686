#include "measure/program/case/case_requests.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/text/number_in_text.h"
#include "measure/device/spare_cpu.h"
#include "measure/passes/arrival_thread.h"
#include "measure/passes/request_passes.h"

namespace stepgate {
namespace {

constexpr std::array closed_metrics = {"latency_mean_ns", "latency_p50_ns",   "latency_p90_ns", "latency_p95_ns",
                                       "latency_p99_ns",  "latency_p99_9_ns", "latency_max_ns", "requests_per_s"};
constexpr std::array token_metrics = {"first_token_ns", "next_token_ns"};
constexpr std::array open_metrics = {"open_latency_mean_ns", "open_latency_p50_ns", "open_latency_p90_ns",
                                     "open_latency_p95_ns",  "open_latency_p99_ns", "open_latency_p99_9_ns",
                                     "open_latency_max_ns"};

constexpr const char* no_requests = "the case asks for no requests: set StepCounts::requests, 1000 for a P99";
constexpr const char* no_tokens = "no request marks its tokens: call token_done() where one is on the host";
constexpr const char* no_open_loop =
    "the case asks for no open loop: give a rate with --request-rate, or as its parameter request_rate_per_s";
constexpr const char* no_spare_cpu = "no CPU is left for the generator of requests: it may not share one with the case";

using Reasons = std::map<std::string, std::string>;

void add(std::span<const char* const> metrics, const char* reason, Reasons& reasons) {
  for (const char* metric : metrics) reasons[metric] = reason;
}

void require_server(Pass pass, const TimedRun& run, const RequestsAsked& asked) {
  if (run.actions.abilities().answers == nullptr) {
    throw Error(ErrorKind::usage, fmt::format("the case trains, and {} asks it for answers", name_of(pass)),
                fmt::format("leave {} out of its StepCounts{}, or derive it from InferenceWorkload", name_of(pass),
                            asked.params.contains(request_rate_param) ? ", and give it no rate of requests" : ""));
  }
  if (asked.ranks == 1) return;
  throw Error(ErrorKind::usage, fmt::format("the case answers requests in {} processes together", asked.ranks),
              "declare one rank: stepgate times the requests of one process");
}

double rate_of(const RequestsAsked& asked) {
  const auto given = asked.params.find(request_rate_param);
  const auto rate = given == asked.params.end() ? std::nullopt : number_in_text(given->second);
  if (rate && *rate >= least_request_rate_per_s && *rate <= most_request_rate_per_s) return *rate;
  throw Error(
      ErrorKind::usage,
      given == asked.params.end() ? fmt::format("open_requests without the parameter {}", request_rate_param)
                                  : fmt::format("{}={} is no rate from {} to {} requests a second", request_rate_param,
                                                given->second, least_request_rate_per_s, most_request_rate_per_s),
      fmt::format("give the requests in a second, at most 70 % of what the case can answer: .params = {{{{\"{}\", "
                  "\"100\"}}}}",
                  request_rate_param));
}

void require_closed_loop(bool has_one) {
  if (has_one) return;
  throw Error(ErrorKind::usage, "open_requests without requests: nothing tells how many requests fit in a second",
              "set StepCounts::requests as well");
}

double capacity_of(const RunRecord& found) {
  require_closed_loop(found.requests.has_value());
  return static_cast<double>(found.requests->latency_ns.size()) * 1e9 / static_cast<double>(found.requests->wall_ns);
}

/// Own choice: no process is measured for a day, and the arrivals of a week fit into the integers of a record.
constexpr double longest_open_loop_s = 24 * 3600;

void require_end(double rate_per_s, std::int64_t requests) {
  if (static_cast<double>(requests) / rate_per_s <= longest_open_loop_s) return;
  throw Error(ErrorKind::usage, fmt::format("{} requests at {} a second take more than a day", requests, rate_per_s),
              fmt::format("lower StepCounts::open_requests, or raise {}", request_rate_param));
}

void run_open_loop(TimedRun& run, const RequestsAsked& asked, RunRecord& found) {
  const OpenLoopPlan plan{.rate_per_s = rate_of(asked), .capacity_per_s = capacity_of(found), .seed = asked.seed};
  require_end(plan.rate_per_s, run.steps.open_requests);
  const auto cpu = spare_cpu();
  if (!cpu) return add(open_metrics, no_spare_cpu, found.absent);
  ArrivalThread arrivals(*cpu);
  found.open_requests = run_open_requests(run, plan, arrivals);
}

std::size_t modules_in(const InferenceFacts& facts) {
  return facts.training_modules ? facts.training_modules->size() : 0;
}

}  // namespace

void require_asked_requests(const TimedRun& run, const RequestsAsked& asked) {
  if (run.steps.requests > 0) require_server(Pass::requests, run, asked);
  if (run.steps.open_requests == 0) return;
  require_server(Pass::open_requests, run, asked);
  require_end(rate_of(asked), run.steps.open_requests);
  require_closed_loop(run.steps.requests > 0);
}

void run_request_pass(Pass pass, TimedRun& run, const RequestsAsked& asked, RunRecord& found) {
  require_server(pass, run, asked);
  if (pass == Pass::open_requests) return run_open_loop(run, asked, found);
  found.requests = run_requests(run);
}

void keep_inference(const std::optional<InferenceFacts>& seen, RunRecord& found) {
  if (!seen) return;
  const bool less = found.inference && (seen->graph_answers < found.inference->graph_answers ||
                                        modules_in(*seen) < modules_in(*found.inference));
  if (!less) found.inference = *seen;
}

std::map<std::string, std::string> absent_requests(const RunRecord& record) {
  Reasons reasons;
  if (record.group != Group::timed || !record.inference) return reasons;
  if (!record.requests) add(closed_metrics, no_requests, reasons);
  if (!record.requests || record.requests->tokens.first_ns.empty()) {
    add(token_metrics, record.requests ? no_tokens : no_requests, reasons);
  }
  if (record.steps.open_requests == 0) add(open_metrics, no_open_loop, reasons);
  return reasons;
}

}  // namespace stepgate
