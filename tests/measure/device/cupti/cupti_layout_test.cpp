// The declarations of cupti_table.h and the names of call_table.cpp against the toolkit's header, where there is one.
#if __has_include(<cupti.h>)
#include <cupti.h>
#include <gtest/gtest.h>

#include "measure/device/cupti/cupti_table.h"

namespace stepgate {
namespace {

static_assert(cupti::max_limit_reached == CUPTI_ERROR_MAX_LIMIT_REACHED);
static_assert(cupti::not_initialized == CUPTI_ERROR_NOT_INITIALIZED);
static_assert(cupti::insufficient_privileges == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
static_assert(cupti::multiple_subscribers_not_supported == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
static_assert(cupti::virtualized_insufficient_privileges == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES);
static_assert(cupti::unknown_error == CUPTI_ERROR_UNKNOWN);
static_assert(cupti::driver_domain == CUPTI_CB_DOMAIN_DRIVER_API);
static_assert(cupti::runtime_domain == CUPTI_CB_DOMAIN_RUNTIME_API);
static_assert(cupti::sync_domain == CUPTI_CB_DOMAIN_SYNCHRONIZE);
static_assert(cupti::call_enter == CUPTI_API_ENTER && cupti::call_exit == CUPTI_API_EXIT);
static_assert(cupti::memcpy_activity == CUPTI_ACTIVITY_KIND_MEMCPY);
static_assert(cupti::memset_activity == CUPTI_ACTIVITY_KIND_MEMSET);
static_assert(cupti::kernel_activity == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
static_assert(cupti::peer_memcpy_activity == CUPTI_ACTIVITY_KIND_MEMCPY2);

static_assert(offsetof(cupti::CallbackData, site) == offsetof(CUpti_CallbackData, callbackSite));
static_assert(offsetof(cupti::CallbackData, function) == offsetof(CUpti_CallbackData, functionName));
static_assert(offsetof(cupti::CallbackData, parameters) == offsetof(CUpti_CallbackData, functionParams));
static_assert(offsetof(cupti::CallbackData, symbol) == offsetof(CUpti_CallbackData, symbolName));

template <typename Record>
constexpr bool has_our_times() {
  return offsetof(Record, kind) == offsetof(cupti::ActivityRecord, kind) &&
         offsetof(Record, start) == offsetof(cupti::ActivityRecord, begin_ns) &&
         offsetof(Record, end) == offsetof(cupti::ActivityRecord, end_ns);
}
static_assert(has_our_times<CUpti_ActivityKernel9>() && has_our_times<CUpti_ActivityMemcpy5>());
static_assert(has_our_times<CUpti_ActivityMemset4>() && has_our_times<CUpti_ActivityMemcpyPtoP4>());
static_assert(offsetof(cupti::MemcpyParameters, direction) == offsetof(cudaMemcpy_v3020_params, kind));
static_assert(offsetof(cupti::MemcpyParameters, direction) == offsetof(cudaMemcpyAsync_v3020_params, kind));

TEST(CuptiLayout, IsThatOfTheToolkit) { SUCCEED() << "checked by the compiler"; }

}  // namespace
}  // namespace stepgate
#endif
