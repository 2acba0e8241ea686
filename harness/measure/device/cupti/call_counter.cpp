#include "measure/device/cupti/call_counter.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "measure/device/cupti/call_table.h"

namespace stepgate::cupti {
namespace {

/// Callback ids of one domain that are told apart. CUDA 13 has 807 in the driver, 523 in the runtime; any higher one
/// shares the last place.
constexpr std::size_t most_ids = 2048;
constexpr std::array domains = {driver_domain, runtime_domain};

/// cudaMemcpyKind, and one more place for calls without a direction.
constexpr std::array<const char*, 6> directions = {" HtoH", " HtoD", " DtoH", " DtoD", " default", ""};
constexpr std::size_t no_direction = directions.size() - 1;
constexpr std::size_t inside_device = 3;

struct Place {
  int domain = 0;
  std::size_t id = 0;
  std::size_t direction = no_direction;
};

/// The calls that a thread is in. Of an earlier count where `count` is not the running one: a thread may have been in
/// the middle of a call when that one ended.
struct ThreadCalls {
  std::uint64_t count = 0;
  std::int64_t depth = 0;
  std::int64_t counted_at = 0;  ///< depth of the outermost counted call; 0: in none
  bool waited = false;          ///< the outermost call has been counted as waiting
  bool unnamed_launch = false;  ///< the outermost counted call launches a kernel whose name has not been told yet
  Place outermost;
};
thread_local ThreadCalls thread_calls;

std::atomic<std::uint64_t> counts_started = 0;

std::size_t place_of(std::uint32_t id) { return id < most_ids ? id : most_ids - 1; }

std::size_t direction_of(const CallRow& row, const void* parameters) {
  if (row.direction != CopyDirection::in_parameters || parameters == nullptr) return no_direction;
  const auto kind = static_cast<std::size_t>(static_cast<const MemcpyParameters*>(parameters)->direction);
  return kind < no_direction ? kind : no_direction;
}

}  // namespace

struct CallCounter::Counts {
  /// What is known of a callback id before counting begins.
  struct Function {
    std::string name;
    const CallRow* row = nullptr;  ///< nullptr: counts as nothing
  };

  /// How often a function was called as the outermost counted call of its thread.
  struct Calls {
    std::array<std::atomic<std::int64_t>, directions.size()> by_direction{};
    std::array<std::atomic<std::int64_t>, directions.size()> waits{};
  };

  std::array<std::vector<Function>, domains.size()> functions;
  std::array<std::vector<Calls>, domains.size()> calls;
  std::atomic<std::int64_t> waits_outside = 0;  ///< the driver waited in a function that reports no call
  std::uint64_t number = 0;
  LaunchListener launched;

  explicit Counts(const Library& library) {
    for (std::size_t domain = 0; domain < domains.size(); ++domain) {
      functions[domain] = named(library, domains[domain]);
      calls[domain] = std::vector<Calls>(most_ids);
    }
  }

  static std::vector<Function> named(const Library& library, int domain) {
    std::vector<Function> all(most_ids);
    for (std::size_t id = 0; id < most_ids; ++id) {
      const char* name = nullptr;
      const bool known =
          library.call(library.table().callback_name, domain, static_cast<std::uint32_t>(id), &name).empty();
      if (known && name != nullptr) {
        all[id].name = without_version(name);
        all[id].row = find_call(all[id].name);
      } else {
        all[id].name = fmt::format("{} function {}", domain == driver_domain ? "driver" : "runtime", id);
      }
    }
    return all;
  }

  static std::size_t index_of(int domain) { return domain == driver_domain ? 0 : 1; }
  const Function& function_at(const Place& place) const { return functions[index_of(place.domain)][place.id]; }
  Calls& calls_at(const Place& place) { return calls[index_of(place.domain)][place.id]; }

  void clear() {
    for (auto& domain : calls) {
      for (Calls& one : domain) {
        for (auto& count : one.by_direction) count = 0;
        for (auto& count : one.waits) count = 0;
      }
    }
    waits_outside = 0;
    number = ++counts_started;
  }

  ThreadCalls& calls_of_thread() const {
    if (thread_calls.count != number) {
      thread_calls = {};
      thread_calls.count = number;
    }
    return thread_calls;
  }

  void enter(Place place, const CallbackData& call) {
    ThreadCalls& thread = calls_of_thread();
    ++thread.depth;
    const CallRow* row = function_at(place).row;
    if (row != nullptr) place.direction = direction_of(*row, call.parameters);
    if (thread.depth == 1) {
      thread.outermost = place;
      thread.waited = false;
    }
    if (thread.counted_at != 0) {
      if (row != nullptr && row->kind == CallKind::kernel) tell_launch(thread, call.symbol);
      return;
    }
    if (row != nullptr) {
      thread.counted_at = thread.depth;
      thread.outermost = place;
      thread.waited = false;
    } else if (thread.depth > 1) {
      return;
    }
    calls_at(place).by_direction[place.direction].fetch_add(1, std::memory_order_relaxed);
    if (row == nullptr) return;
    if (row->waits && place.direction != inside_device) note_wait(thread);
    if (row->kind != CallKind::kernel) return;
    thread.unnamed_launch = true;
    tell_launch(thread, call.symbol);
  }

  /// Once a launch. The runtime's callback may lack a name that the one of the driver below it has.
  void tell_launch(ThreadCalls& thread, const char* symbol) const {
    if (!thread.unnamed_launch || symbol == nullptr) return;
    thread.unnamed_launch = false;
    if (launched) launched(symbol);
  }

  void leave() const {
    ThreadCalls& thread = calls_of_thread();
    if (thread.depth == 0) return;  // entered before counting began
    if (thread.counted_at == thread.depth) {
      tell_launch(thread, "");
      thread.counted_at = 0;
    }
    --thread.depth;
  }

  /// Once a call, by its name or by the driver's report that it waited.
  void note_wait(ThreadCalls& thread) {
    if (thread.depth > 0 && thread.waited) return;
    thread.waited = true;
    if (thread.depth == 0) {
      waits_outside.fetch_add(1, std::memory_order_relaxed);
    } else {
      calls_at(thread.outermost).waits[thread.outermost.direction].fetch_add(1, std::memory_order_relaxed);
    }
  }

  // A callback may still run on another thread when cuptiUnsubscribe returns. So each finds its counts here, and stop()
  // waits until none is inside.
  static inline std::atomic<Counts*> active = nullptr;
  static inline std::atomic<std::int64_t> callbacks_inside = 0;

  static void on_callback(void* /*user*/, int domain, std::uint32_t id, const void* data) {
    ++callbacks_inside;
    if (Counts* const counts = active; counts != nullptr) hear(*counts, domain, id, data);
    --callbacks_inside;
  }

  static void hear(Counts& counts, int domain, std::uint32_t id, const void* data) {
    if (domain == sync_domain) return counts.note_wait(counts.calls_of_thread());
    if ((domain != driver_domain && domain != runtime_domain) || data == nullptr) return;
    const auto& call = *static_cast<const CallbackData*>(data);
    if (call.site == call_enter) {
      counts.enter({domain, place_of(id)}, call);
    } else if (call.site == call_exit) {
      counts.leave();
    }
  }
};

CallCounter::CallCounter(std::shared_ptr<const Library> library)
    : library_(std::move(library)), counts_(std::make_unique<Counts>(*library_)) {}

CallCounter::~CallCounter() { stop(); }

std::string CallCounter::start() {
  stop();
  counts_->clear();
  const Table& table = library_->table();
  Subscriber* subscriber = nullptr;
  if (table.unsubscribe.call == nullptr) return "this CUPTI has no cuptiUnsubscribe";
  if (std::string refused = library_->call(table.subscribe, &subscriber, &Counts::on_callback, counts_.get());
      !refused.empty()) {
    return refused;
  }
  subscriber_ = subscriber;
  Counts::active = counts_.get();
  for (const int domain : {runtime_domain, driver_domain, sync_domain}) {
    std::string refused = library_->call(table.enable_domain, std::uint32_t{1}, subscriber_, domain);
    if (refused.empty()) continue;
    stop();
    counts_->clear();
    return refused;
  }
  return "";
}

void CallCounter::tell_launches(LaunchListener listener) { counts_->launched = std::move(listener); }

void CallCounter::stop() {
  if (subscriber_ == nullptr) return;
  Counts::active = nullptr;
  const Table& table = library_->table();
  for (const int domain : {sync_domain, driver_domain, runtime_domain}) {
    static_cast<void>(library_->call(table.enable_domain, std::uint32_t{0}, subscriber_, domain));
  }
  static_cast<void>(library_->call(table.unsubscribe, subscriber_));
  subscriber_ = nullptr;
  while (Counts::callbacks_inside > 0) std::this_thread::yield();
}

CallTotals CallCounter::totals() const {
  CallTotals totals;
  for (const std::string_view metric : counted_metrics()) totals.by_call[std::string(metric)];
  const std::string syncs(sync_metric);
  for (std::size_t domain = 0; domain < domains.size(); ++domain) {
    for (std::size_t id = 0; id < most_ids; ++id) {
      const Counts::Function& function = counts_->functions[domain][id];
      for (std::size_t direction = 0; direction < directions.size(); ++direction) {
        const Counts::Calls& calls = counts_->calls[domain][id];
        const std::int64_t called = calls.by_direction[direction].load(std::memory_order_relaxed);
        const std::int64_t waited = calls.waits[direction].load(std::memory_order_relaxed);
        if (called == 0 && waited == 0) continue;
        const std::string name = function.name + directions[direction];
        if (waited > 0) totals.by_call[syncs][name] += waited;
        if (called == 0 || (function.row != nullptr && function.row->kind == CallKind::waiting)) continue;
        (function.row == nullptr ? totals.other : totals.by_call[std::string(metric_of(function.row->kind))])[name] +=
            called;
      }
    }
  }
  if (const std::int64_t outside = counts_->waits_outside.load(std::memory_order_relaxed); outside > 0) {
    totals.by_call[syncs]["a wait outside every reported call"] = outside;
  }
  return totals;
}

std::int64_t total_of(const CallTotals& totals, const std::string& metric) {
  const auto calls = totals.by_call.find(metric);
  std::int64_t sum = 0;
  if (calls == totals.by_call.end()) return sum;
  for (const auto& [call, count] : calls->second) sum += count;
  return sum;
}

}  // namespace stepgate::cupti
