// The part of NVIDIA's tracing library CUPTI that is used here: names, numbers and layouts as in cupti.h of CUDA 12 and
// 13, which is not on every machine that builds this. tests/measure/device/cupti/cupti_layout_test.cpp compares them
// with that header where it exists.
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>

namespace stepgate::cupti {

/// CUptiResult
inline constexpr int success = 0;
inline constexpr int invalid_parameter = 1;
inline constexpr int max_limit_reached = 12;  ///< also: no further record in a buffer
inline constexpr int not_initialized = 15;
inline constexpr int insufficient_privileges = 35;
inline constexpr int multiple_subscribers_not_supported = 39;
inline constexpr int virtualized_insufficient_privileges = 40;
inline constexpr int unknown_error = 999;

/// CUpti_CallbackDomain
inline constexpr int driver_domain = 1;
inline constexpr int runtime_domain = 2;
inline constexpr int sync_domain = 4;

/// CUpti_ApiCallbackSite
inline constexpr int call_enter = 0;
inline constexpr int call_exit = 1;

/// CUpti_ActivityKind
inline constexpr int memcpy_activity = 1;
inline constexpr int memset_activity = 2;
inline constexpr int kernel_activity = 10;       ///< CONCURRENT_KERNEL: lets kernels run side by side
inline constexpr int peer_memcpy_activity = 22;  ///< MEMCPY2: between two GPUs

/// The first version with the layouts below (CUDA 12.0).
inline constexpr std::uint32_t least_version = 19;

struct Subscriber;  ///< CUpti_SubscriberHandle points to it; opaque

struct CallbackData {  ///< the beginning of CUpti_CallbackData
  int site;
  const char* function;
  const void* parameters;
  const void* result;
  const char* symbol;  ///< of a launch: the kernel's mangled name
};

/// The beginning that the records of kernels, copies and memsets share in all versions. Times are on the clock of
/// cuptiGetTimestamp, in nanoseconds; 0 where CUPTI could not take one.
struct ActivityRecord {
  int kind;
  int detail;
  std::uint64_t bytes_or_other;
  std::uint64_t begin_ns;
  std::uint64_t end_ns;
};

static_assert(offsetof(CallbackData, function) == 8 && offsetof(CallbackData, parameters) == 16 &&
              offsetof(CallbackData, symbol) == 32);
static_assert(offsetof(ActivityRecord, begin_ns) == 16 && offsetof(ActivityRecord, end_ns) == 24);

/// The beginning of cudaMemcpy_v3020_params, cudaMemcpyAsync_v3020_params and their variants.
struct MemcpyParameters {
  void* to;
  const void* from;
  std::size_t bytes;
  int direction;  ///< cudaMemcpyKind
};

using Callback = void(void* user, int domain, std::uint32_t id, const void* data);
using BufferRequested = void(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records);
using BufferCompleted = void(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t bytes,
                             std::size_t valid_bytes);

/// One function of the library. `call` is nullptr where the library has none of that name.
template <typename Function>
struct Symbol {
  Symbol(void* library, const char* its_name)
      : name(its_name), call(reinterpret_cast<Function*>(::dlsym(library, its_name))) {}
  const char* name;
  Function* call;
};

/// The functions, looked up in an open library that must outlive the table.
struct Table {
  explicit Table(void* open_library) : library(open_library) {}
  void* library;

  Symbol<int(int, const char**)> result_text{library, "cuptiGetResultString"};
  Symbol<int(std::uint32_t*)> version{library, "cuptiGetVersion"};
  Symbol<int(Subscriber**, Callback*, void*)> subscribe{library, "cuptiSubscribe"};
  Symbol<int(Subscriber*)> unsubscribe{library, "cuptiUnsubscribe"};
  Symbol<int(std::uint32_t, Subscriber*, int)> enable_domain{library, "cuptiEnableDomain"};
  Symbol<int(int, std::uint32_t, const char**)> callback_name{library, "cuptiGetCallbackName"};
  Symbol<int(std::uint64_t*)> timestamp{library, "cuptiGetTimestamp"};
  Symbol<int(int)> enable_activity{library, "cuptiActivityEnable"};
  Symbol<int(int)> disable_activity{library, "cuptiActivityDisable"};
  Symbol<int(BufferRequested*, BufferCompleted*)> register_buffers{library, "cuptiActivityRegisterCallbacks"};
  Symbol<int(std::uint32_t)> flush{library, "cuptiActivityFlushAll"};
  Symbol<int(std::uint8_t*, std::size_t, ActivityRecord**)> next_record{library, "cuptiActivityGetNextRecord"};
  Symbol<int(void*, std::uint32_t, std::size_t*)> dropped{library, "cuptiActivityGetNumDroppedRecords"};
};

}  // namespace stepgate::cupti
