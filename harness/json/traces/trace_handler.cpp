#include "json/traces/trace_handler.h"

#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <utility>

#include "json/schema_version.h"
#include "json/traces/trace_time.h"

namespace stepgate {
namespace {

constexpr std::string_view record_again =
    "record fewer steps, e.g. torch.profiler.schedule(wait=1, warmup=1, active=5), and save the trace again";
/// Names of kernels are types; what follows tells nobody anything.
constexpr std::size_t most_name_bytes = 300;

struct CategoryName {
  std::string_view name;
  TraceCategory category;
};

/// As Kineto writes them, and below as PyTorch 1.8 to 1.11 did.
constexpr CategoryName category_names[] = {
    {"cpu_op", TraceCategory::operator_call},
    {"user_annotation", TraceCategory::annotation},
    {"cuda_runtime", TraceCategory::runtime_call},
    {"cuda_driver", TraceCategory::runtime_call},
    {"kernel", TraceCategory::kernel},
    {"gpu_memcpy", TraceCategory::copy},
    {"gpu_memset", TraceCategory::memset},
    {"Operator", TraceCategory::operator_call},
    {"Runtime", TraceCategory::runtime_call},
    {"Kernel", TraceCategory::kernel},
    {"Memcpy", TraceCategory::copy},
    {"Memset", TraceCategory::memset},
};

std::optional<TraceCategory> category_named(std::string_view name) {
  for (const CategoryName& known : category_names) {
    if (known.name == name) return known.category;
  }
  return std::nullopt;
}

std::optional<std::int64_t> integer_in(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace

TraceHandler::TraceHandler(std::string source, const TraceLimits& limits) : limits_(limits) {
  trace_.source = std::move(source);
}

bool TraceHandler::number_unsigned(Parsed::number_unsigned_t value) {
  constexpr auto most = static_cast<Parsed::number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
  return value > most || take_number(static_cast<std::int64_t>(value));
}

bool TraceHandler::number_float(Parsed::number_float_t, const std::string& digits) {
  if (!at_event()) return true;
  if (key_ == "ts") draft_.start_ns = trace_time_ns(digits);
  if (key_ == "dur") draft_.duration_ns = trace_time_ns(digits);
  return true;
}

bool TraceHandler::take_number(std::int64_t value) {
  if (at_event()) {
    if (key_ == "ts") draft_.start_ns = trace_time_ns(value);
    if (key_ == "dur") draft_.duration_ns = trace_time_ns(value);
    if (key_ == "pid") draft_.process = std::to_string(value);
    if (key_ == "tid") draft_.thread = std::to_string(value);
  } else if (at_arguments()) {
    take_argument(value);
  } else if (section_ == Section::devices && depth_ == element_depth_ && key_ == "id") {
    described_device_ = value;
  } else if (section_ == Section::ranks && depth_ == element_depth_) {
    if (key_ == "rank") trace_.rank = value;
    if (key_ == "world_size") trace_.ranks = value;
  }
  return true;
}

void TraceHandler::take_argument(std::int64_t value) {
  if (key_ == "correlation") draft_.correlation = value;
  if (key_ == "device") draft_.device = value;
}

bool TraceHandler::string(std::string& text) {
  if (at_event()) {
    if (key_ == "name") draft_.name = text;
    if (key_ == "ph") draft_.phase = text;
    if (key_ == "cat") draft_.category = text;
    if (key_ == "pid") draft_.process = text;
    if (key_ == "tid") draft_.thread = text;
  } else if (section_ == Section::devices && depth_ == element_depth_ && key_ == "name") {
    described_model_ = text;
  }
  return true;
}

void TraceHandler::descend() {
  if (++depth_ <= static_cast<int>(most_nested_levels)) return;
  throw Error(ErrorKind::usage, fmt::format("{}: more than {} levels of nesting", trace_.source, most_nested_levels),
              "this is not a trace of PyTorch's profiler: check what wrote the file");
}

bool TraceHandler::start_object(std::size_t) {
  const bool arguments = at_event() && key_ == "args";
  descend();
  if (depth_ == 2 && key_ == "distributedInfo") enter_section(Section::ranks, depth_);
  if (depth_ == element_depth_) begin_element();
  if (section_ == Section::events && depth_ == element_depth_ + 1) in_arguments_ = arguments;
  return true;
}

bool TraceHandler::end_object() {
  if (depth_ == element_depth_) end_element();
  if (depth_ == element_depth_ + 1) in_arguments_ = false;
  if (section_ == Section::ranks && depth_ == element_depth_) section_ = Section::other;
  --depth_;
  return true;
}

/// The events are the whole document, or a key of its object.
bool TraceHandler::start_array(std::size_t) {
  descend();
  if (depth_ == 1 || (depth_ == 2 && key_ == "traceEvents")) enter_section(Section::events, depth_ + 1);
  if (depth_ == 2 && key_ == "deviceProperties") enter_section(Section::devices, depth_ + 1);
  return true;
}

bool TraceHandler::end_array() {
  if (section_ != Section::other && depth_ == element_depth_ - 1) section_ = Section::other;
  --depth_;
  return true;
}

void TraceHandler::enter_section(Section section, int element_depth) {
  if (section_ != Section::other) return;  // such a key inside an event
  section_ = section;
  element_depth_ = element_depth;
  found_events_ = found_events_ || section == Section::events;
}

bool TraceHandler::key(std::string& name) {
  std::swap(key_, name);
  return true;
}

void TraceHandler::begin_element() {
  if (section_ == Section::events) draft_ = {};
  if (section_ == Section::devices) described_device_.reset();
}

void TraceHandler::end_element() {
  if (section_ == Section::devices && described_device_) trace_.devices[*described_device_] = described_model_;
  if (section_ != Section::events || draft_.phase != "X") return;
  const auto category = category_named(draft_.category);
  if (!category) {
    ++trace_.other_events;
  } else if (!draft_.start_ns || draft_.duration_ns.value_or(0) < 0) {
    ++trace_.damaged_events;
  } else {
    keep(*category);
  }
}

void TraceHandler::keep(TraceCategory category) {
  if (trace_.events.size() == limits_.events) {
    throw Error(ErrorKind::usage, fmt::format("{}: more than {} events", trace_.source, limits_.events),
                std::string(record_again));
  }
  TraceEvent event{.start_ns = *draft_.start_ns,
                   .duration_ns = draft_.duration_ns.value_or(0),
                   .correlation = draft_.correlation,
                   .name = name_index(),
                   .category = category};
  if (is_on_device(category)) {
    const auto device = draft_.device ? draft_.device : integer_in(draft_.process);
    event.device = static_cast<std::int32_t>(device.value_or(0));
  } else {
    event.thread = thread_index();
  }
  trace_.events.push_back(event);
}

std::uint32_t TraceHandler::name_index() {
  draft_.name.resize(std::min(draft_.name.size(), most_name_bytes));
  const auto [found, added] = names_.try_emplace(draft_.name, static_cast<std::uint32_t>(trace_.names.size()));
  if (added) trace_.names.push_back(draft_.name);
  return found->second;
}

std::uint32_t TraceHandler::thread_index() {
  const std::string thread = draft_.process + '/' + draft_.thread;
  const auto [found, added] = threads_.try_emplace(thread, static_cast<std::uint32_t>(trace_.threads.size()));
  if (added) trace_.threads.push_back(thread);
  return found->second;
}

bool TraceHandler::parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) {
  stopped_at_ = position;
  return false;
}

TraceEvents TraceHandler::take() {
  if (!found_events_) {
    throw Error(ErrorKind::usage, trace_.source + ": JSON, but no trace: it has no traceEvents",
                "name a trace of PyTorch's profiler: prof.export_chrome_trace(\"FILE.json.gz\")");
  }
  if (trace_.events.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: a trace without operators, calls or kernels ({} other and {} damaged events)",
                            trace_.source, trace_.other_events, trace_.damaged_events),
                "record it with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA] around some steps");
  }
  return std::move(trace_);
}

}  // namespace stepgate
