#include "measure/device/cupti/call_counter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "measure/device/cupti/fake_cupti.h"

namespace stepgate {
namespace {

using cupti::CallCounter;
using cupti::CallTotals;
using cupti::total_of;
using test::FakeCuda;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr int to_device = 1;
constexpr int to_host = 2;
constexpr int inside_device = 3;

TEST(CallCounter, CountsLaunchesCopiesMemsetsAndAllocations) {
  const FakeCuda cuda;
  CallCounter counter(cuda.library());
  EXPECT_EQ(counter.start(), "");
  for (int i = 0; i < 3; ++i) cuda.call("cudaLaunchKernel_v7000");
  cuda.call("cudaMemcpyAsync_v3020", to_device);
  cuda.call("cudaMemcpyAsync_ptsz_v7000", to_host);
  cuda.call("cudaMemsetAsync_v3020");
  cuda.call("cudaMalloc_v3020");
  cuda.call("cudaGraphLaunch_v10000");
  const CallTotals totals = counter.totals();
  EXPECT_THAT(totals.by_call.at("kernels_per_step"), ElementsAre(Pair("cudaLaunchKernel", 3)));
  EXPECT_THAT(totals.by_call.at("memcpys_per_step"),
              ElementsAre(Pair("cudaMemcpyAsync DtoH", 1), Pair("cudaMemcpyAsync HtoD", 1)));
  EXPECT_THAT(totals.by_call.at("memsets_per_step"), ElementsAre(Pair("cudaMemsetAsync", 1)));
  EXPECT_THAT(totals.by_call.at("device_allocations_per_step"), ElementsAre(Pair("cudaMalloc", 1)));
  EXPECT_THAT(totals.by_call.at("graph_launches_per_step"), ElementsAre(Pair("cudaGraphLaunch", 1)));
  EXPECT_THAT(totals.by_call.at("device_syncs_per_step"), IsEmpty());
  EXPECT_EQ(total_of(totals, "memcpys_per_step"), 2);
}

TEST(CallCounter, CountsACallOfTheRuntimeOnceThoughItCallsTheDriver) {
  const FakeCuda cuda;
  CallCounter counter(cuda.library());
  counter.start();
  cuda.call_both("cudaLaunchKernel_v7000", "cuLaunchKernel");
  cuda.call_both("cudaFree_v3020", "cuMemFree_v2");
  cuda.call("cuLaunchKernelEx");  // as cuBLAS and cuDNN do
  const CallTotals totals = counter.totals();
  EXPECT_THAT(totals.by_call.at("kernels_per_step"),
              ElementsAre(Pair("cuLaunchKernelEx", 1), Pair("cudaLaunchKernel", 1)));
  EXPECT_THAT(totals.by_call.at("device_syncs_per_step"), ElementsAre(Pair("cudaFree", 1)));
}

TEST(CallCounter, CountsInTheDriverWhatAnUnknownFunctionOfTheRuntimeDoes) {
  const FakeCuda cuda;
  CallCounter counter(cuda.library());
  counter.start();
  cuda.call_both("cudaLaunchOfTomorrow_v99000", "cuLaunchKernel");
  cuda.call("cudaGetDevice_v3020");
  const CallTotals totals = counter.totals();
  EXPECT_THAT(totals.by_call.at("kernels_per_step"), ElementsAre(Pair("cuLaunchKernel", 1)));
  EXPECT_THAT(totals.other, ElementsAre(Pair("cudaGetDevice", 1), Pair("runtime function 2047", 1)));
}

TEST(CallCounter, CountsWhatMakesTheHostWait) {
  const FakeCuda cuda;
  CallCounter counter(cuda.library());
  counter.start();
  cuda.call_both("cudaDeviceSynchronize_v3020", "cuCtxSynchronize");
  cuda.call("cudaEventSynchronize_v3020");
  cuda.call_both("cudaMemcpy_v3020", "cuMemcpyHtoD_v2", to_device);
  cuda.call("cudaMemcpy_v3020", inside_device);
  cuda.call("cudaFree_v3020");
  const CallTotals totals = counter.totals();
  EXPECT_THAT(totals.by_call.at("device_syncs_per_step"),
              ElementsAre(Pair("cudaDeviceSynchronize", 1), Pair("cudaEventSynchronize", 1), Pair("cudaFree", 1),
                          Pair("cudaMemcpy HtoD", 1)))
      << "a copy inside the device does not wait";
  EXPECT_THAT(totals.by_call.at("memcpys_per_step"),
              ElementsAre(Pair("cudaMemcpy DtoD", 1), Pair("cudaMemcpy HtoD", 1)));
}

TEST(CallCounter, CountsAWaitThatOnlyTheDriverReports) {
  const FakeCuda cuda;
  CallCounter counter(cuda.library());
  counter.start();
  cuda.enter("cudaMemcpyAsync_v3020", to_host);  // into pageable memory
  cuda.waited();
  cuda.waited();
  cuda.leave("cudaMemcpyAsync_v3020");
  cuda.enter("cudaStreamSynchronize_v3020");
  cuda.waited();
  cuda.leave("cudaStreamSynchronize_v3020");
  cuda.waited();
  const CallTotals totals = counter.totals();
  EXPECT_THAT(totals.by_call.at("device_syncs_per_step"),
              ElementsAre(Pair("a wait outside every reported call", 1), Pair("cudaMemcpyAsync DtoH", 1),
                          Pair("cudaStreamSynchronize", 1)));
  EXPECT_THAT(totals.by_call.at("memcpys_per_step"), ElementsAre(Pair("cudaMemcpyAsync DtoH", 1)));
}

TEST(CallCounter, CountsOnAllThreads) {
  const FakeCuda cuda;
  CallCounter counter(cuda.library());
  counter.start();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int call = 0; call < 1000; ++call) {
        cuda.call_both("cudaLaunchKernel_v7000", "cuLaunchKernel");
        cuda.call_both("cudaMemcpy_v3020", "cuMemcpyHtoD_v2", to_device);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const CallTotals totals = counter.totals();
  EXPECT_EQ(total_of(totals, "kernels_per_step"), 4000);
  EXPECT_EQ(total_of(totals, "memcpys_per_step"), 4000);
  EXPECT_EQ(total_of(totals, "device_syncs_per_step"), 4000);
}

TEST(CallCounter, LosesNoCallThatWasOpenWhenCountingBeganOrEnded) {
  const FakeCuda cuda;
  CallCounter counter(cuda.library());
  counter.start();
  cuda.leave("cudaLaunchKernel_v7000");  // entered before
  cuda.enter("cudaMalloc_v3020");
  counter.stop();
  EXPECT_EQ(counter.start(), "");
  EXPECT_EQ(total_of(counter.totals(), "device_allocations_per_step"), 0) << "a new count begins at 0";
  cuda.call("cudaLaunchKernel_v7000");
  EXPECT_EQ(total_of(counter.totals(), "kernels_per_step"), 1) << "the call that never ended is not around it";
}

TEST(CallCounter, TellsTheNameOfEachLaunchThatItCounts) {
  const FakeCuda cuda;
  CallCounter counter(cuda.library());
  std::vector<std::string> kernels;
  counter.tell_launches([&](std::string_view kernel) { kernels.emplace_back(kernel); });
  counter.start();
  cuda.symbol("_Z4fillPf");
  cuda.call_both("cudaLaunchKernel_v7000", "cuLaunchKernel");
  cuda.call("cudaMemcpyAsync_v3020", to_device);
  cuda.call("cudaGraphLaunch_v10000");
  cuda.symbol("ampere_sgemm_64x64_nn");
  cuda.call("cuLaunchKernelEx");
  cuda.symbol("");
  cuda.call("cudaLaunchKernel_v7000");
  EXPECT_THAT(kernels, ElementsAre("_Z4fillPf", "ampere_sgemm_64x64_nn", ""));
  EXPECT_EQ(total_of(counter.totals(), "kernels_per_step"), 3);
  counter.stop();
  cuda.call("cudaLaunchKernel_v7000");
  EXPECT_EQ(kernels.size(), 3U);
}

TEST(CallCounter, TakesTheNameFromTheDriverWhereTheRuntimeGivesNone) {
  const FakeCuda cuda;
  CallCounter counter(cuda.library());
  std::vector<std::string> kernels;
  counter.tell_launches([&](std::string_view kernel) { kernels.emplace_back(kernel); });
  counter.start();
  cuda.enter("cudaLaunchKernel_v7000");
  cuda.symbol("_Z4fillPf");
  cuda.call("cuLaunchKernel");
  cuda.leave("cudaLaunchKernel_v7000");
  EXPECT_THAT(kernels, ElementsAre("_Z4fillPf"));
  EXPECT_EQ(total_of(counter.totals(), "kernels_per_step"), 1);
}

TEST(CallCounter, HearsNothingOnceItHasStopped) {
  const FakeCuda cuda;
  CallCounter counter(cuda.library());
  counter.start();
  cuda.call("cudaLaunchKernel_v7000");
  counter.stop();
  cuda.call("cudaLaunchKernel_v7000");
  EXPECT_FALSE(cuda.subscribed()) << "another tool may subscribe now";
  EXPECT_EQ(total_of(counter.totals(), "kernels_per_step"), 1);
}

TEST(CallCounter, SaysWhoHoldsCupti) {
  const FakeCuda cuda;
  CallCounter first(cuda.library());
  CallCounter second(cuda.library());
  EXPECT_EQ(first.start(), "");
  EXPECT_THAT(second.start(),
              HasSubstr("cuptiSubscribe: CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED: another tool"));
  second.stop();
  EXPECT_TRUE(cuda.subscribed()) << "the other's subscription stays";
}

TEST(CallCounter, SaysWhichCallFailed) {
  const FakeCuda cuda;
  const auto library = cuda.library();
  for (const char* function : {"cuptiSubscribe", "cuptiEnableDomain"}) {
    FakeCuda::fail(std::string(function) + "=35");
    CallCounter counter(library);
    EXPECT_THAT(counter.start(),
                HasSubstr(std::string(function) + ": CUPTI_ERROR: the driver lets only administrators"));
    EXPECT_FALSE(cuda.subscribed());
    cuda.call("cudaLaunchKernel_v7000");
    EXPECT_EQ(total_of(counter.totals(), "kernels_per_step"), 0);
  }
  FakeCuda::fail("cuptiSubscribe=15 cuptiGetResultString=1");
  EXPECT_EQ(CallCounter(library).start(), "cuptiSubscribe: error 15: the driver could not be initialised");
}

TEST(CallCounter, CountsWithoutNamesWhereThereAreNone) {
  const FakeCuda cuda;
  const auto library = cuda.library();
  FakeCuda::fail("cuptiGetCallbackName=999 cuptiUnsubscribe=999");
  CallCounter counter(library);
  EXPECT_EQ(counter.start(), "");
  cuda.call("cudaLaunchKernel_v7000");
  EXPECT_THAT(counter.totals().other, ElementsAre(Pair("runtime function 211", 1)));
}

TEST(CuptiLibrary, SaysWhyItCannotBeUsed) {
  const FakeCuda cuda;
  EXPECT_THAT(std::get<std::string>(cupti::open_library("/nowhere/libcupti.so")), HasSubstr("was not found"));
  FakeCuda::version("18");
  EXPECT_THAT(std::get<std::string>(cupti::open_library(STEPGATE_FAKE_CUPTI)), HasSubstr("older than CUDA 12.0"));
  FakeCuda::fail("cuptiGetVersion=999");
  EXPECT_THAT(std::get<std::string>(cupti::open_library(STEPGATE_FAKE_CUPTI)), HasSubstr("cuptiGetVersion"));
  EXPECT_THAT(std::get<std::string>(cupti::open_library("libm.so.6")), HasSubstr("this CUPTI has no cuptiGetVersion"));
}

TEST(CuptiLibrary, IsTheOneThatTheProcessHasLoaded) {
  const FakeCuda cuda;  // under the library's real name
  const auto opened = cupti::open_library();
  ASSERT_TRUE(std::holds_alternative<std::shared_ptr<const cupti::Library>>(opened)) << std::get<std::string>(opened);
  EXPECT_EQ(std::get<0>(opened)->table().subscribe.call, cuda.library()->table().subscribe.call);
}

}  // namespace
}  // namespace stepgate
