// A model of CUPTI: the same symbols. fake_cupti.h says how tests let CUDA do something.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "measure/device/cupti/cupti_table.h"

namespace cupti = stepgate::cupti;

struct stepgate::cupti::Subscriber {
  cupti::Callback* callback = nullptr;
  void* user = nullptr;
  std::array<std::atomic<bool>, 8> domains{};
};

namespace {

struct Name {
  int domain;
  std::uint32_t id;
  const char* name;
};

/// Some with the identifiers that they have in CUDA 13, and one beyond every known one.
constexpr std::array names = {Name{2, 13, "cudaLaunch_v3020"},
                              Name{2, 17, "cudaGetDevice_v3020"},
                              Name{2, 20, "cudaMalloc_v3020"},
                              Name{2, 22, "cudaFree_v3020"},
                              Name{2, 27, "cudaHostAlloc_v3020"},
                              Name{2, 31, "cudaMemcpy_v3020"},
                              Name{2, 41, "cudaMemcpyAsync_v3020"},
                              Name{2, 51, "cudaMemsetAsync_v3020"},
                              Name{2, 131, "cudaStreamSynchronize_v3020"},
                              Name{2, 137, "cudaEventSynchronize_v3020"},
                              Name{2, 165, "cudaDeviceSynchronize_v3020"},
                              Name{2, 211, "cudaLaunchKernel_v7000"},
                              Name{2, 225, "cudaMemcpyAsync_ptsz_v7000"},
                              Name{2, 311, "cudaGraphLaunch_v10000"},
                              Name{2, 5000, "cudaLaunchOfTomorrow_v99000"},
                              Name{1, 17, "cuCtxSynchronize"},
                              Name{1, 243, "cuMemAlloc_v2"},
                              Name{1, 245, "cuMemFree_v2"},
                              Name{1, 276, "cuMemcpyHtoD_v2"},
                              Name{1, 307, "cuLaunchKernel"},
                              Name{1, 397, "cuMemcpyHtoD_v2_ptds"},
                              Name{1, 514, "cuGraphLaunch"},
                              Name{1, 549, "cuMemCreate"},
                              Name{1, 652, "cuLaunchKernelEx"}};

constexpr int unreadable_buffer = 1;
constexpr int no_buffer = 2;
constexpr int endless_buffer = 3;

std::mutex state_mutex;
cupti::Subscriber the_subscriber;
std::atomic<bool> subscribed = false;
std::vector<int> activities;
std::vector<cupti::ActivityRecord> records;
std::size_t dropped = 0;
std::uint64_t clock_ns = 0;
int damage = 0;
std::string symbol;  ///< of the kernels that are launched
std::size_t next_read = 0;
std::size_t record_bytes = 0;
cupti::BufferRequested* request_buffer = nullptr;
cupti::BufferCompleted* complete_buffer = nullptr;

std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

int scripted(const char* function) {
  std::istringstream words(setting("FAKE_CUPTI_FAIL", ""));
  for (std::string word; words >> word;) {
    if (word.starts_with(std::string(function) + "=")) return std::stoi(word.substr(word.find('=') + 1));
  }
  return cupti::success;
}

void send(int domain, std::uint32_t id, const void* data) {
  if (!subscribed || !the_subscriber.domains[static_cast<std::size_t>(domain)]) return;
  the_subscriber.callback(the_subscriber.user, domain, id, data);
}

bool is_enabled(int kind) { return std::find(activities.begin(), activities.end(), kind) != activities.end(); }

/// Hands over the records that lie ready, as many as a buffer takes at a time.
void deliver() {
  while (!records.empty() || dropped > 0 || damage != 0) {
    std::uint8_t* buffer = nullptr;
    std::size_t bytes = 0;
    std::size_t most = 0;
    request_buffer(&buffer, &bytes, &most);
    if (damage == no_buffer) {
      std::free(buffer);
      buffer = nullptr;
    }
    // A record of a kernel is longer than its beginning.
    record_bytes = 216;
    const std::size_t fit = buffer == nullptr ? 0 : std::min(records.size(), bytes / record_bytes);
    for (std::size_t i = 0; i < fit; ++i) {
      std::memcpy(buffer + i * record_bytes, &records[i], sizeof(cupti::ActivityRecord));
    }
    records.erase(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(fit));
    if (buffer == nullptr) records.clear();
    next_read = 0;
    complete_buffer(nullptr, 0, buffer, bytes, fit * record_bytes);
    damage = 0;
    dropped = 0;
  }
}

}  // namespace

#define GO_ON_OR_FAIL                                                         \
  do {                                                                        \
    if (const int failure = scripted(__func__); failure != 0) return failure; \
  } while (false)

extern "C" {

int cuptiGetResultString(int result, const char** text) {
  GO_ON_OR_FAIL;
  *text = result == cupti::multiple_subscribers_not_supported ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"
                                                              : "CUPTI_ERROR";
  return cupti::success;
}
int cuptiGetVersion(std::uint32_t* version) {
  GO_ON_OR_FAIL;
  *version = static_cast<std::uint32_t>(std::stoul(setting("FAKE_CUPTI_VERSION", "130001")));
  return cupti::success;
}
int cuptiSubscribe(cupti::Subscriber** subscriber, cupti::Callback* callback, void* user) {
  GO_ON_OR_FAIL;
  if (subscribed) return cupti::multiple_subscribers_not_supported;
  the_subscriber.callback = callback;
  the_subscriber.user = user;
  *subscriber = &the_subscriber;
  subscribed = true;
  return cupti::success;
}
int cuptiUnsubscribe(cupti::Subscriber*) {
  subscribed = false;
  for (auto& domain : the_subscriber.domains) domain = false;
  GO_ON_OR_FAIL;
  return cupti::success;
}
int cuptiEnableDomain(std::uint32_t enable, cupti::Subscriber* subscriber, int domain) {
  GO_ON_OR_FAIL;
  if (subscriber != &the_subscriber || domain < 1 || domain > 6) return cupti::invalid_parameter;
  the_subscriber.domains[static_cast<std::size_t>(domain)] = enable != 0;
  return cupti::success;
}
int cuptiGetCallbackName(int domain, std::uint32_t id, const char** name) {
  GO_ON_OR_FAIL;
  for (const Name& one : names) {
    if (one.domain != domain || one.id != id) continue;
    *name = one.name;
    return cupti::success;
  }
  return cupti::invalid_parameter;
}
int cuptiGetTimestamp(std::uint64_t* ns) {
  GO_ON_OR_FAIL;
  *ns = clock_ns;
  return cupti::success;
}

int cuptiActivityEnable(int kind) {
  if (kind == cupti::memset_activity) {  // one kind alone can fail too
    if (const int failure = scripted("memset"); failure != 0) return failure;
  }
  GO_ON_OR_FAIL;
  activities.push_back(kind);
  return cupti::success;
}
int cuptiActivityDisable(int kind) {
  GO_ON_OR_FAIL;
  std::erase(activities, kind);
  return cupti::success;
}
int cuptiActivityRegisterCallbacks(cupti::BufferRequested* requested, cupti::BufferCompleted* completed) {
  GO_ON_OR_FAIL;
  request_buffer = requested;
  complete_buffer = completed;
  return cupti::success;
}
int cuptiActivityFlushAll(std::uint32_t) {
  GO_ON_OR_FAIL;
  if (complete_buffer != nullptr) deliver();
  return cupti::success;
}
int cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t valid_bytes, cupti::ActivityRecord** record) {
  GO_ON_OR_FAIL;
  if (damage == unreadable_buffer) return cupti::unknown_error;
  if (damage == endless_buffer) next_read = 0;
  if (next_read + record_bytes > valid_bytes) return cupti::max_limit_reached;
  *record = reinterpret_cast<cupti::ActivityRecord*>(buffer + next_read);
  next_read += record_bytes;
  return cupti::success;
}
int cuptiActivityGetNumDroppedRecords(void*, std::uint32_t, std::size_t* number) {
  GO_ON_OR_FAIL;
  *number = dropped;
  return cupti::success;
}

void fake_cupti_reset() {
  const std::lock_guard lock(state_mutex);
  cuptiUnsubscribe(nullptr);
  activities.clear();
  records.clear();
  dropped = 0;
  damage = 0;
  clock_ns = 0;
  symbol.clear();
  complete_buffer = nullptr;
}
void fake_cupti_call(const char* name, int site, int direction) {
  const cupti::MemcpyParameters parameters{nullptr, nullptr, 64, direction};
  const std::string kernel = symbol;
  const cupti::CallbackData data{site, name, &parameters, nullptr, kernel.empty() ? nullptr : kernel.c_str()};
  for (const Name& one : names) {
    if (std::string_view(one.name) == name) send(one.domain, one.id, &data);
  }
}
void fake_cupti_symbol(const char* name) { symbol = name; }
void fake_cupti_waited() { send(cupti::sync_domain, 1, nullptr); }
int fake_cupti_subscribed() { return subscribed ? 1 : 0; }
int fake_cupti_activities() { return static_cast<int>(activities.size()); }
void fake_cupti_work(int kind, std::uint64_t begin_ns, std::uint64_t end_ns) {
  const std::lock_guard lock(state_mutex);
  if (is_enabled(kind) || kind > 30) records.push_back({kind, 0, 0, begin_ns, end_ns});
}
void fake_cupti_drop(std::size_t number) { dropped = number; }
void fake_cupti_damage(int how) { damage = how; }
void fake_cupti_clock(std::uint64_t ns) { clock_ns = ns; }

}  // extern "C"
