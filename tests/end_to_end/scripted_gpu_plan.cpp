#include "scripted_gpu_plan.h"

#include "core/error.h"

namespace stepgate {
namespace {

constexpr std::int64_t us = 1000;

/// A step with 3 ms of compute. Its copy takes 1.5 ms and overlaps with the previous step.
ScriptedStepPlan gpu_step() {
  ScriptedStepPlan plan;
  plan.at(Boundary::data_wait) = {.host_ns = 400 * us};
  plan.at(Boundary::h2d) = {.host_ns = 20 * us, .device_ns = 1500 * us};
  plan.at(Boundary::forward) = {.host_ns = 100 * us,
                                .device_ns = 1000 * us,
                                .kept_bytes = 4 << 20,
                                .operators = {{"aten::conv2d", 8}},
                                .kernels = 8};
  plan.at(Boundary::backward) = {.host_ns = 150 * us,
                                 .device_ns = 1700 * us,
                                 .temporary_bytes = 1 << 20,
                                 .operators = {{"aten::convolution_backward", 8}},
                                 .kernels = 16};
  plan.at(Boundary::optimizer) = {
      .host_ns = 50 * us, .device_ns = 300 * us, .operators = {{"aten::_foreach_add_", 2}}, .kernels = 2};
  plan.at(Boundary::logging) = {.host_ns = 5 * us};
  plan.batch = {.samples = 64,
                .padded_tokens = 6400,
                .effective_tokens = 6000,
                .h2d_bytes = 38 << 20,
                .h2d_copies = 2,
                .pageable_copies = 0,
                .shape = 1};
  return plan;
}

}  // namespace

ScriptedStepPlan plan_with(const std::string& fault) {
  ScriptedStepPlan plan = gpu_step();
  if (fault == "pageable") {
    // The driver copies pageable memory through its own buffer, which is slower, and the host waits for it.
    plan.batch.pageable_copies = 2;
    plan.at(Boundary::h2d) = {.host_ns = 20 * us, .device_ns = 4500 * us, .hidden_sync = true, .host_syncs = 0};
  } else if (fault == "no_overlap") {
    plan.copy_waits_for_compute = true;  // one input buffer instead of two
  } else if (fault == "split") {
    plan.batch.h2d_copies = 64;
    plan.at(Boundary::h2d) = {.host_ns = 300 * us, .device_ns = 3500 * us};
  } else if (fault == "extra_kernel") {
    plan.at(Boundary::optimizer).kernels += 1;  // as two fused kernels that were taken apart; no operator tells
    plan.at(Boundary::optimizer).device_ns += 4 * us;
  } else if (fault == "reserved") {
    plan.wasted_bytes = 2 << 20;  // fragmentation: the allocator asks for one more segment in each step
  } else if (fault == "slow_loader") {
    plan.at(Boundary::data_wait).host_ns = 4 * gpu_step().at(Boundary::data_wait).host_ns;
  } else if (fault == "log_sync") {
    plan.at(Boundary::logging) = {.host_ns = 5 * us,
                                  .hidden_sync = true,
                                  .operators = {{"aten::_local_scalar_dense", 1}},
                                  .host_syncs = 1,
                                  .d2h_copies = 1};
  } else if (fault == "device_sync") {
    // What LibTorch does not warn of: the workload waits for the device itself.
    plan.at(Boundary::forward).hidden_sync = true;
    plan.at(Boundary::forward).device_syncs = 1;
  } else if (fault == "host_bound") {
    // A step of 10 ms with 2.8 ms of device work: the device idles 72 % of the time.
    plan.at(Boundary::h2d).device_ns = 300 * us;
    plan.at(Boundary::forward).host_ns = 4000 * us;
    plan.at(Boundary::forward).device_ns = 800 * us;
    plan.at(Boundary::backward).host_ns = 5000 * us;
    plan.at(Boundary::optimizer).host_ns = 575 * us;
  } else if (fault == "padding") {
    // 1.5 times as many tokens, and all additional ones are padding; the kernels are a little faster on the longer
    // rows.
    plan.batch.padded_tokens = 9600;
    plan.at(Boundary::forward).device_ns = 1200 * us;
    plan.at(Boundary::backward).device_ns = 2000 * us;
  } else if (fault == "graph_log") {
    plan.graph_holder = "logging";
  } else if (fault != "none" && fault != "new_shape") {
    throw Error(ErrorKind::usage, "STEPGATE_TEST_FAULT=" + fault + " is not known", "");
  }
  return plan;
}

}  // namespace stepgate
