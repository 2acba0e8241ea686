// The account of a trace with every part and every claim.
#pragma once

#include "core/study/trace_account.h"

namespace stepgate {

inline TraceAccount sample_trace_account() {
  TraceAccount account;
  account.source = "runs/rank3.json.gz";
  account.text_bytes = 34'825'284;
  account.events = 85'103;
  account.on_device = true;
  account.of = "device 3, NVIDIA A100";
  account.rank = 3;
  account.ranks = 8;
  account.steps = 6;
  account.step = {.steps = 6,
                  .median_ns = 76.6e6,
                  .mean_ns = 77.5e6,
                  .sd_ns = 2.1e6,
                  .p95_ns = 80.4e6,
                  .p99_ns = 81e6,
                  .min_ns = 75.5e6,
                  .max_ns = 81.1e6};
  account.span_ns = 465.2e6;
  account.parts = {{"compute", "kernels", 46.9e6, 0.605, Bottleneck::compute},
                   {"exposed-communication", "exposed communication", 14.6e6, 0.189, Bottleneck::communication},
                   {"exposed-copies", "exposed copies", 3.3e6, 0.042, Bottleneck::copy},
                   {"idle-data", "idle: host waits for data", 0, 0, Bottleneck::input},
                   {"idle-launch", "idle: nothing launched yet", 12.7e6, 0.164, Bottleneck::launch}};
  account.busy_share = 0.836;
  account.bottlenecks = {
      {Bottleneck::communication, Proof::likely, 0.189,
       "exposed communication: 18.9 % of the time, severe from 15 % (XProf, collectives)"},
      {Bottleneck::launch, Proof::likely, 0.164,
       "idle: nothing launched yet: 16.4 % of the time, severe from 15 % (XProf, kernel launch); a kernel "
       "begins 9.1 us after its call returned; 61 % of the kernels are shorter than 10 us"}};
  account.largest = "kernels: 60.5 % of the time; the device waits in between";
  account.launch_delay_ns = 9100;
  account.short_kernels = 0.61;
  account.host_syncs = 2.5;
  account.pageable_copies = 1;
  account.costliest = {{"ncclKernel_AllReduce_RING_LL_Sum_float", 54, 16.1e6, 0.208},
                       {"void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>, "
                        "at::detail::Array<char*, 3> >(int, at::native::AddFunctor<float>)",
                        1242, 6.2e6, 0.08}};
  account.not_needed = {{"python_function", 120'000, 1.2e9}};
  account.not_known = {{"tpu_op", 12, 4.5e6}};
  account.left_out = {{"of a negative length", 1, 0}};
  account.notes = {"not read, because stepgate does not know them: tpu_op (12 events, 4.50 ms)",
                   "times include what the profiler itself costs the host"};
  return account;
}

}  // namespace stepgate
