#include "diagnose/trace/trace_names.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(TraceNames, KernelsOfAnyLibraryThatExchangeDataAreExchanges) {
  for (const char* kernel :
       {"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "ncclKernel_ReduceScatter",
        "void vllm::cross_device_reduce_1stage<__half, 2>(vllm::RankData*)", "multimem_all_reduce_kernel",
        "void c10d::one_shot_all_reduce_kernel<float, 16>(float**)", "two_shot_all_reduce_kernel_inplace",
        "void allReduceKernel<__nv_bfloat16, 8>", "void oneShotAllReduceKernel", "nvshmemi_transfer",
        "userbuffers_fp16_sum_inplace_gpu_rr_rs", "void deep_ep::intranode::dispatch<4>", "mscclpp_allgather"}) {
    EXPECT_TRUE(is_exchange(kernel)) << kernel;
  }
  for (const char* kernel : {"ampere_sgemm_128x64_tn", "triton_poi_fused_add_all_reduce_wait_tensor_3",
                             "void at::native::reduce_kernel<512>", "triton_red_fused__to_copy_sum_all_gather_0",
                             "void gather_kernel<float>"}) {
    EXPECT_FALSE(is_exchange(kernel)) << kernel;
  }
  EXPECT_TRUE(is_exchange("triton_one_shot_all_reduce"));  // written by hand: Inductor's have _fused
}

TEST(TraceNames, CallsOfAnyDeviceThatWaitAreWaits) {
  for (const char* call :
       {"cudaStreamSynchronize", "cudaStreamSynchronize_ptsz", "hipDeviceSynchronize", "zeEventHostSynchronize",
        "aclrtSynchronizeStream", "urEventWait", "cudaMemcpy", "cudaFree"}) {
    EXPECT_TRUE(is_waiting_call(call)) << call;
  }
  for (const char* call : {"cudaLaunchKernel", "cudaMemcpyAsync", "cudaStreamWaitEvent", "urEnqueueEventsWait",
                           "cudaFreeAsync", "zeCommandListAppendWaitOnEvents"}) {
    EXPECT_FALSE(is_waiting_call(call)) << call;
  }
}

}  // namespace
}  // namespace stepgate
