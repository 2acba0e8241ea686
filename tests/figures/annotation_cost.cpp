// Measures the cost of annotations, marks and meters in production, compared with LibTorch's own record_function and a
// bare read of the clock, interleaved in one process. Prints medians over rounds.
#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>
#include <benchmark/benchmark.h>
#include <torch/csrc/autograd/profiler_kineto.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "figures/annotation_compiled_out.h"
#include "stepgate/annotation.h"
#include "stepgate/step_timer.h"
#include "stepgate/throughput_meter.h"

namespace {

constexpr int calls = 20000;
constexpr int rounds = 41;

/// Nanoseconds per call, where `body` makes `calls` calls.
double cost_of(const std::function<void()>& body) {
  const std::int64_t begin_ns = stepgate::steady_clock_ns();
  body();
  return static_cast<double>(stepgate::steady_clock_ns() - begin_ns) / calls;
}

void empty_loop() {
  for (int i = 0; i < calls; ++i) benchmark::ClobberMemory();
}

void annotations() {
  for (int i = 0; i < calls; ++i) {
    const stepgate::Annotation range("figure");
    benchmark::ClobberMemory();
  }
}

void annotations_on() {
  stepgate::set_annotations(true);
  annotations();
  stepgate::set_annotations(false);
}

void record_functions() {
  for (int i = 0; i < calls; ++i) {
    RECORD_USER_SCOPE("figure");
    benchmark::ClobberMemory();
  }
}

/// Under LibTorch's profiler, as for a trace; its processing of the ranges afterwards is not timed.
void profiled(const std::function<void()>& body, std::vector<double>& costs) {
  using namespace torch::profiler::impl;
  const ProfilerConfig config(ProfilerState::KINETO);
  const std::set<ActivityType> activities = {ActivityType::CPU};
  torch::autograd::profiler::prepareProfiler(config, activities);
  torch::autograd::profiler::enableProfiler(config, activities, {at::RecordScope::USER_SCOPE});
  costs.push_back(cost_of(body));
  torch::autograd::profiler::disableProfiler();
}

void clock_reads() {
  for (int i = 0; i < calls; ++i) benchmark::DoNotOptimize(stepgate::steady_clock_ns());
}

/// Six virtual calls of marks per step, as in the loop of step_marks.h.
void marks(stepgate::StepMarks& timer) {
  const at::Tensor loss;
  for (int i = 0; i < calls / 6; ++i) {
    timer.next_step();
    timer.loaded({.samples = 64});
    timer.copied();
    timer.forward_done(loss);
    timer.backward_done();
    timer.optimizer_done();
  }
}

void meter_steps(stepgate::ThroughputMeter& meter) {
  for (int i = 0; i < calls; ++i) meter.step({.samples = 64, .padded_tokens = 512, .effective_tokens = 400});
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

using Costs = std::map<std::string, std::vector<double>>;

void run_round(Costs& costs, stepgate::StepTimer& timer, stepgate::ThroughputMeter& meter) {
  costs["empty"].push_back(cost_of(empty_loop));
  costs["compiled out"].push_back(cost_of([] { stepgate::figures::annotations_compiled_out(calls); }));
  costs["off"].push_back(cost_of(annotations));
  costs["record"].push_back(cost_of(record_functions));
  costs["on"].push_back(cost_of(annotations_on));
  profiled(annotations, costs["off, profiled"]);
  profiled(record_functions, costs["record, profiled"]);
  profiled(annotations_on, costs["on, profiled"]);
  costs["clock"].push_back(cost_of(clock_reads));
  costs["mark"].push_back(cost_of([&] { marks(timer); }));
  costs["meter"].push_back(cost_of([&] { meter_steps(meter); }));
}

}  // namespace

int main() {
  Costs costs;
  stepgate::StepTimer timer;
  stepgate::ThroughputMeter meter;
  for (int round = 0; round < rounds; ++round) run_round(costs, timer, meter);
  const double empty = median(costs["empty"]);
  const auto line = [&](const char* what, const char* key) {
    std::printf("  %-46s %8.2f ns\n", what, median(costs[key]) - empty);
  };
  std::printf("a range, less an empty loop (%.2f ns), median of %d interleaved rounds x %d\n", empty, rounds, calls);
  line("Annotation, compiled out", "compiled out");
  line("Annotation, off", "off");
  line("LibTorch record_function, nobody listens", "record");
  line("Annotation, on, nobody listens", "on");
  line("Annotation, off, profiler active", "off, profiled");
  line("LibTorch record_function, profiler active", "record, profiled");
  line("Annotation, on, profiler active", "on, profiled");
  std::printf("a step's marks and its count\n");
  line("bare steady_clock read", "clock");
  line("StepTimer, one mark", "mark");
  line("ThroughputMeter, one step", "meter");
  std::printf(
      "off / record_function %.3f, on / record_function with profiler %.2f, mark / clock %.2f, meter / clock %.2f\n",
      (median(costs["off"]) - empty) / (median(costs["record"]) - empty),
      (median(costs["on, profiled"]) - empty) / (median(costs["record, profiled"]) - empty),
      (median(costs["mark"]) - empty) / (median(costs["clock"]) - empty),
      (median(costs["meter"]) - empty) / (median(costs["clock"]) - empty));
  return 0;
}
