#include "launch/emulated/value_need.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/metric.h"
#include "launch/emulated/extra_process.h"
#include "launch/emulated/order_files.h"
#include "launch/replicate/run_replicate.h"
#include "launch/source_lines.h"
#include "system/elapsed.h"
#include "system/elf/elf_symbols.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using CountSeries = std::map<std::string, std::vector<std::int64_t>>;

/// Those of MemoryProfile that LibTorch's allocators of device and pinned memory keep.
constexpr std::array<std::string_view, 8> device_series = {
    "peak_allocated_bytes",        "peak_reserved_bytes", "reserved_bytes",
    "allocator_retries_per_step",  "ooms_per_step",       "allocator_stream_syncs_per_step",
    "pinned_allocations_per_step", "peak_pinned_bytes"};

bool is_time(std::string_view name) {
  const Metric* metric = find_metric(name);
  return metric != nullptr && depends_on_time(metric->unit);
}

std::string differing_series(const std::string& name, const std::vector<std::int64_t>* held,
                             const std::vector<std::int64_t>* other) {
  if (held == nullptr && other == nullptr) return "";
  if (held == nullptr || other == nullptr) return fmt::format("{} was measured in one of two processes only", name);
  if (*held == *other) return "";
  for (std::size_t step = 0; step < std::min(held->size(), other->size()); ++step) {
    if ((*held)[step] == (*other)[step]) continue;
    return fmt::format("{} is {}, and {} with other numbers, in counted step {}", name, (*held)[step], (*other)[step],
                       step);
  }
  return fmt::format("{} has {} values, and {} with other numbers", name, held->size(), other->size());
}

const std::vector<std::int64_t>* series_in(const CountSeries& all, std::string_view name) {
  const auto found = all.find(std::string(name));
  return found == all.end() ? nullptr : &found->second;
}

std::string differing_counts(const WorkCounts& held, const WorkCounts& other) {
  for (const auto* one : {&held, &other}) {
    for (const auto& [name, values] : one->per_step) {
      if (is_time(name)) continue;
      std::string found = differing_series(name, series_in(held.per_step, name), series_in(other.per_step, name));
      if (!found.empty()) return found;
    }
  }
  return held.operators == other.operators ? "" : "its operators are others with other numbers";
}

std::string differing_memory(const MemoryProfile& held, const MemoryProfile& other) {
  std::string found = differing_series("peak_bytes", &held.peak_bytes, &other.peak_bytes);
  for (const std::string_view name : device_series) {
    if (!found.empty()) break;
    found = differing_series(std::string(name), series_in(held.series, name), series_in(other.series, name));
  }
  return found;
}

void remove_files(const ReplicateRequest& request) {
  std::error_code kept;
  remove_order_files(order_path(request));
  fs::remove(record_path(request), kept);
  fs::remove(output_path(request), kept);
}

/// Of one process: its own kind of numbers, and what it left.
class OrderRun {
 public:
  OrderRun(const ReplicateRequest& like, EmulatedRun run, double timeout_s)
      : launch_(with_timeout(like.launch, timeout_s)), request_(of_run(like, launch_, run)) {
    remove_files(request_);  // of an earlier run
    const auto start = std::chrono::steady_clock::now();
    replicate_ = run_replicate(request_);
    wall_s_ = seconds_since(start);
  }
  OrderRun(const OrderRun&) = delete;
  OrderRun& operator=(const OrderRun&) = delete;

  const ReplicateRequest& request() const { return request_; }
  const Replicate& replicate() const { return replicate_; }
  const std::optional<ReplicateFailure>& failure() const { return replicate_.failure; }
  double wall_s() const { return wall_s_; }
  bool has_broken_gpu() const { return failure() && failure()->kind == FailureKind::infrastructure; }
  bool was_interrupted() const { return failure() && failure()->kind == FailureKind::interrupted; }

 private:
  static LaunchRequest with_timeout(LaunchRequest launch, double timeout_s) {
    launch.plan.timeout_s = timeout_s;
    return launch;
  }
  static ReplicateRequest of_run(const ReplicateRequest& like, const LaunchRequest& launch, EmulatedRun run) {
    return {.launch = launch,
            .cpus = like.cpus,
            .group = like.group,
            .index = like.index,
            .attempt = like.attempt,
            .interrupted = like.interrupted,
            .places = like.places,
            .emulated_run = run};
  }

  LaunchRequest launch_;
  ReplicateRequest request_;
  Replicate replicate_;
  double wall_s_ = 0;
};

std::string text_in(const fs::path& file) {
  return file.empty() ? "" : read_text_file_if_present(file, ErrorKind::measure).value_or("");
}

/// "train.cpp:88"; "" where the copy is on no thread of the program's own, or its lines are not known.
std::string place_of_read(const OrderDifference& difference, const ReplicateRequest& request) {
  if (!difference.read || difference.read->offsets.empty()) return "";
  const fs::path program = program_of(request);
  ObservedWork work{.build_id = build_id_of(program)};
  work.places.push_back({.offsets = difference.read->offsets});
  resolve_places(work, {.program = program, .source_root = request.launch.source_root, .known = nullptr});
  const std::vector<SourceFrame>& frames = work.places.front().frames;
  if (frames.empty()) return "";
  const SourceFrame& frame = frames.front();
  return frame.file.empty() ? frame.function : fmt::format("{}:{}", frame.file, frame.line);
}

std::string text_of_work(const std::optional<OrderedWork>& work) {
  if (!work) return "its end";
  return work->operator_name.empty() ? fmt::format("'{}'", work->what) : work->operator_name;
}

std::string what_next(const LaunchRequest& launch) {
  EmulatedDevice device = launch.emulated->device;
  device.values = true;
  return fmt::format("count the case with values if it is tiny (--device {}), else on a GPU", text_of(device));
}

ReplicateFailure needs_values(const std::string& why, const LaunchRequest& launch) {
  return {FailureKind::needs_values,
          fmt::format("its work depends on numbers of the GPU, which counts mode does not compute: {}; {}", why,
                      what_next(launch)),
          ""};
}

/// The process with the GPU's own numbers is like the judged one, so its failure says nothing of numbers.
ReplicateFailure no_order(const ReplicateFailure& failure) {
  return failure_of_extra(
      failure, "the process that writes the order of its work, to see whether it follows numbers of the GPU");
}

/// An emulation of another version writes none, and so do ranks of a program of another version, which do not say their
/// number. Two empty orders are equal.
bool wrote_order(const OrderRun& run) {
  const std::vector<fs::path> files = order_files(order_path(run.request()));
  return std::any_of(files.begin(), files.end(), [](const fs::path& file) { return !text_in(file).empty(); });
}

/// Throws Error(measure) for an order that was cut, of which nobody knows the rest.
std::string difference_in(const std::vector<OrderPair>& pairs, const ReplicateRequest& request) {
  for (const OrderPair& pair : pairs) {
    const std::string text = text_in(pair.one);
    const auto difference = order_difference(text, text_in(pair.other));
    if (difference) return text_of(*difference, place_of_read(*difference, request));
    if (is_cut(text)) throw Error(ErrorKind::measure, "the order of its work is longer than 64 MiB", "run fewer steps");
  }
  return "";
}

/// What the second process did otherwise; "" where it did the same.
std::string difference_of(const OrderRun& one, const OrderRun& other) {
  const fs::path order = order_path(one.request()), other_order = order_path(other.request());
  std::string found = difference_in(named_pairs(order, other_order), one.request());
  if (!found.empty()) return found;
  if (other.failure()) return "the process " + other.failure()->message;
  found = difference_in(numbered_pairs(order, other_order), one.request());
  if (!found.empty()) return found;
  return differing_count(*one.replicate().record, *other.replicate().record);
}

ReplicateFailure unknown_need(const std::string& why) {
  return {FailureKind::bad_record, "nothing shows whether its work depends on numbers of the GPU: " + why, ""};
}

/// A program that waits for a number never ends with another one. Own choice: passes that leave work out for their
/// deadline have room enough.
double limit_of(const OrderRun& held, double timeout_s) {
  return std::min(timeout_s, std::max(60.0, 10 * held.wall_s()));
}

std::optional<ReplicateFailure> compared(const ReplicateRequest& request, const OrderRun& held) {
  const double limit_s = limit_of(held, request.launch.plan.timeout_s);
  const OrderRun other(request, EmulatedRun::other, limit_s);
  if (other.was_interrupted()) return other.failure();
  if (other.has_broken_gpu()) return no_order(*other.failure());  // whatever numbers it had
  const std::string why = difference_of(held, other);
  if (why.empty()) {
    remove_files(held.request());
    remove_files(other.request());
    return std::nullopt;
  }
  const OrderRun again(request, EmulatedRun::again, request.launch.plan.timeout_s);
  if (again.failure()) return no_order(*again.failure());
  const std::string by_chance = difference_of(held, again);
  if (!by_chance.empty()) return unknown_need("two processes with equal numbers differ: " + by_chance);
  remove_files(again.request());
  return needs_values(why, request.launch);
}

}  // namespace

bool counts_without_values(const LaunchRequest& launch) { return launch.emulated && !launch.emulated->device.values; }

std::string differing_count(const RunRecord& held, const RunRecord& other) {
  if (held.counts.has_value() != other.counts.has_value()) return "one of two processes counted nothing";
  std::string found = held.counts ? differing_counts(*held.counts, *other.counts) : "";
  if (found.empty() && held.memory && other.memory) found = differing_memory(*held.memory, *other.memory);
  return found;
}

std::string text_of(const OrderDifference& difference, const std::string& place) {
  const std::string one = text_of_work(difference.one);
  const std::string other = text_of_work(difference.other);
  // The same operator with other sizes.
  const bool shows_work = difference.one && difference.other && one == other;
  std::string text;
  if (difference.read) {
    text = fmt::format("after {}{} ", text_of_work(difference.read), place.empty() ? "" : " at " + place);
  }
  text += fmt::format("it goes on with {}{}, and with other numbers with {}{} (line {} of its order of work)", one,
                      shows_work ? fmt::format(" '{}'", difference.one->what) : "", other,
                      shows_work ? fmt::format(" '{}'", difference.other->what) : "", difference.line);
  return text;
}

std::optional<ReplicateFailure> need_of_values(const ReplicateRequest& request) {
  const OrderRun held(request, EmulatedRun::order, request.launch.plan.timeout_s);
  if (held.was_interrupted()) return held.failure();
  if (held.failure()) return no_order(*held.failure());
  try {
    if (!wrote_order(held)) {
      return unknown_need("it wrote no order of its work: build the program and the target emulated_gpu again");
    }
    return compared(request, held);
  } catch (const Error& error) {  // an order that cannot be read
    return unknown_need(error.what());
  }
}

}  // namespace stepgate
