#include "json/traces/trace_handler.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/error.h"
#include "json/schema_version.h"
#include "json/traces/trace_categories.h"
#include "json/traces/trace_time.h"

namespace stepgate {
namespace {

constexpr std::string_view record_again =
    "record fewer steps, e.g. torch.profiler.schedule(wait=1, warmup=1, active=5), and save the trace again";

/// "ProfilerStep#7"; "ProfilerStep*" where an average over steps is meant.
constexpr std::string_view step_prefix = "ProfilerStep";

std::optional<std::int64_t> integer_in(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::int64_t step_number(std::string_view name) {
  const std::size_t begin = step_prefix.size() + 1;
  return name.size() > begin ? integer_in(name.substr(begin)).value_or(no_step_number) : no_step_number;
}

bool is_step_name(std::string_view name) {
  return name.starts_with(step_prefix) && name.size() > step_prefix.size() &&
         (name[step_prefix.size()] == '#' || name[step_prefix.size()] == '*');
}

}  // namespace

void TraceHandler::Draft::clear() {
  for (std::string* field : {&name, &phase, &category, &process, &thread}) field->clear();
  start_ns.reset();
  duration_ns.reset();
  device.reset();
  correlation = 0;
  unreadable_time = false;
}

TraceHandler::TraceHandler(std::string source, const TraceLimits& limits) : limits_(limits) {
  trace_.source = std::move(source);
}

void TraceHandler::key(const std::string& name) {
  key_ = name;
  if (depth_ == 1 && foreign_ == nullptr) foreign_ = foreign_document(key_);
}

void TraceHandler::text(const std::string& value) {
  const std::string_view field = key_;  // a trace has a hundred million keys: a view compares lengths first
  if (at_event()) {
    if (field == "name") draft_.name = value;
    if (field == "ph") draft_.phase = value;
    if (field == "cat") draft_.category = value;
  } else if (section_ == Section::devices && depth_ == element_depth_ && key_ == "name") {
    described_model_ = value;
    return;
  }
  take_field(value);
}

void TraceHandler::number(const std::string& digits) { take_field(digits); }

/// Some producers write numbers as strings.
void TraceHandler::take_field(const std::string& value) {
  const std::string_view field = key_;
  if (at_operands()) return operands_.take(field, value, operand_level());
  if (at_event()) {
    const bool start = field == "ts";
    if (start || field == "dur") {
      auto& time = start ? draft_.start_ns : draft_.duration_ns;
      time = trace_time_ns(value);
      draft_.unreadable_time = draft_.unreadable_time || !time;
    }
    if (field == "pid") draft_.process = value;
    if (field == "tid") draft_.thread = value;
  } else if (at_arguments()) {
    take_argument(value);
  } else if (section_ == Section::devices && depth_ == element_depth_ && key_ == "id") {
    described_device_ = integer_in(value);
  } else if (section_ == Section::ranks && depth_ == element_depth_) {
    if (key_ == "rank") trace_.rank = integer_in(value);
    if (key_ == "world_size") trace_.ranks = integer_in(value);
  } else if (depth_ == 1) {
    take_version(value);
  }
}

void TraceHandler::take_version(const std::string& value) {
  if (key_ == "cuda_runtime_version") trace_.cuda_runtime_version = integer_in(value);
  if (key_ == "cuda_driver_version") trace_.cuda_driver_version = integer_in(value);
}

void TraceHandler::take_argument(const std::string& value) {
  const std::string_view argument = key_;
  if (argument == "correlation") draft_.correlation = integer_in(value).value_or(0);
  if (argument == "device") draft_.device = integer_in(value);
}

void TraceHandler::descend() {
  if (++depth_ <= most_nested_levels) return;
  throw Error(ErrorKind::usage, fmt::format("{}: more than {} levels of nesting", trace_.source, most_nested_levels),
              "this is not a trace of PyTorch's profiler: check what wrote the file");
}

void TraceHandler::start_object() {
  const bool arguments = at_event() && key_ == "args";
  descend();
  if (depth_ == 2 && key_ == "distributedInfo") enter_section(Section::ranks, depth_);
  if (section_ == Section::events && depth_ == element_depth_) {
    draft_.clear();
    operands_.begin_event();
  }
  if (section_ == Section::devices && depth_ == element_depth_) {
    described_device_.reset();
    described_model_.clear();
  }
  if (section_ == Section::events && depth_ == element_depth_ + 1) in_arguments_ = arguments;
}

void TraceHandler::end_object() {
  if (depth_ == element_depth_) end_element();
  if (depth_ == element_depth_ + 1) in_arguments_ = false;
  if (section_ == Section::ranks && depth_ == element_depth_) section_ = Section::other;
  --depth_;
}

/// The events are the whole document, or a key of its object.
void TraceHandler::start_array() {
  descend();
  if (depth_ == 1 || (depth_ == 2 && key_ == "traceEvents")) enter_section(Section::events, depth_ + 1);
  if (depth_ == 2 && key_ == "deviceProperties") enter_section(Section::devices, depth_ + 1);
  if (at_operands()) operands_.begin_list(key_, operand_level());
}

void TraceHandler::end_array() {
  if (section_ != Section::other && depth_ + 1 == element_depth_) section_ = Section::other;
  --depth_;
}

void TraceHandler::enter_section(Section section, std::size_t element_depth) {
  if (section_ != Section::other) return;  // such a key inside an event
  section_ = section;
  element_depth_ = element_depth;
  found_events_ = found_events_ || section == Section::events;
}

void TraceHandler::give_up_event() {
  leave_out("in text that is not JSON", 0);
  depth_ = element_depth_ - 1;
  in_arguments_ = false;
}

void TraceHandler::end_element() {
  if (section_ == Section::devices && described_device_ && trace_.devices.size() < most_trace_devices)
    trace_.devices[*described_device_] = described_model_;
  if (section_ != Section::events) return;
  if (draft_.phase == "X") take_whole_event();
  if (draft_.phase == "B") begin_range();
  if (draft_.phase == "E") end_range();
  if (draft_.phase == "b" || draft_.phase == "S") {
    draft_.category += " (asynchronous)";
    ++tally_of_draft()->events;
  }
}

void TraceHandler::take_whole_event() {
  if (EventTally* unread = tally_of_draft()) {
    ++unread->events;
    unread->ns += static_cast<double>(std::max<std::int64_t>(draft_.duration_ns.value_or(0), 0));
  } else if (!draft_.start_ns || draft_.unreadable_time) {
    leave_out("without a time that can be read", 0);
  } else if (draft_.duration_ns.value_or(0) < 0) {
    leave_out("of a negative length", 0);
  } else {
    keep(event_of_draft(*category_of_draft()));
  }
}

void TraceHandler::begin_range() {
  if (open_ranges_ == most_open_ranges) fail_limit(most_open_ranges, "ranges that begin (ph B) and do not end");
  OpenRange range{.event = std::nullopt, .start_ns = draft_.start_ns, .unread = tally_of_draft()};
  if (range.unread == nullptr && range.start_ns) range.event = event_of_draft(*category_of_draft());
  open_[draft_.process + '/' + draft_.thread].push_back(range);
  ++open_ranges_;
}

void TraceHandler::end_range() {
  const auto ranges = open_.find(draft_.process + '/' + draft_.thread);
  if (ranges == open_.end()) return leave_out("with an end (ph E) and no begin", 0);
  OpenRange range = ranges->second.back();
  ranges->second.pop_back();
  --open_ranges_;
  if (ranges->second.empty()) open_.erase(ranges);
  // Times lie within 142 years of zero, so their difference fits.
  const std::int64_t length = draft_.start_ns && range.start_ns ? *draft_.start_ns - *range.start_ns : 0;
  if (range.unread != nullptr) {
    ++range.unread->events;
    range.unread->ns += static_cast<double>(std::max<std::int64_t>(length, 0));
  } else if (!draft_.start_ns || !range.event) {
    leave_out("without a time that can be read", 0);
  } else if (length < 0) {
    leave_out("of a negative length", 0);
  } else {
    range.event->duration_ns = length;
    if (draft_.correlation != 0 && range.event->category != TraceCategory::step)
      range.event->correlation = draft_.correlation;
    keep(*range.event);
  }
}

void TraceHandler::leave_out(const std::string& what, double ns) {
  EventTally& tally = trace_.left_out[what];
  ++tally.events;
  tally.ns += ns;
}

EventTally* TraceHandler::tally_of_draft() {
  const TraceKind kind = trace_kind(draft_.category, draft_.process);
  if (kind.category) return nullptr;
  auto& tallies = kind.known ? trace_.not_needed : trace_.not_known;
  const std::string name = draft_.category.empty() ? "no category" : draft_.category;
  const bool full = tallies.size() >= most_tallied_categories && !tallies.contains(name);
  return &tallies[full ? "other categories" : name];
}

std::optional<TraceCategory> TraceHandler::category_of_draft() const {
  const auto category = trace_kind(draft_.category, draft_.process).category;
  return category && is_host_range(*category) && is_step_name(draft_.name) ? TraceCategory::step : category;
}

TraceEvent TraceHandler::event_of_draft(TraceCategory category) {
  TraceEvent event{.start_ns = *draft_.start_ns,
                   .duration_ns = draft_.duration_ns.value_or(0),
                   .correlation = draft_.correlation,
                   .category = category};
  if (category == TraceCategory::step) {
    event.correlation = step_number(draft_.name);
    draft_.name = step_prefix;
  }
  if (category == TraceCategory::operator_call && limits_.operands > 0) event.correlation = operands_place();
  event.name = name_index();
  event.place = is_on_device(category) ? device_index() : thread_index();
  return event;
}

void TraceHandler::keep(const TraceEvent& event) {
  if (trace_.events.size() == limits_.events) fail_limit(limits_.events, "events");
  if (event.category == TraceCategory::step && ++steps_ > limits_.steps) fail_limit(limits_.steps, "steps");
  trace_.events.push_back(event);
}

std::uint32_t TraceHandler::name_index() {
  const auto found = names_.find(draft_.name);
  if (found != names_.end()) return found->second;
  if (names_.size() == limits_.names) fail_limit(limits_.names, "different names of operators, ranges and kernels");
  const auto index = static_cast<std::uint32_t>(trace_.names.size());
  trace_.names.push_back(draft_.name);
  names_.emplace(trace_.names.back(), index);
  return index;
}

std::int64_t TraceHandler::operands_place() {
  const std::int64_t place = operands_.place_in(trace_.operands);
  if (trace_.operands.size() > limits_.operands) fail_limit(limits_.operands, "different operands of operators");
  return place;
}

std::uint16_t TraceHandler::thread_index() {
  const auto [found, added] =
      threads_.try_emplace(draft_.process + '/' + draft_.thread, static_cast<std::uint16_t>(trace_.threads.size()));
  if (added && trace_.threads.size() == most_trace_threads) fail_limit(most_trace_threads, "threads");
  if (added) trace_.threads.push_back(found->first);
  return found->second;
}

std::uint16_t TraceHandler::device_index() {
  const auto named = draft_.device ? draft_.device : integer_in(draft_.process);
  const auto [found, added] =
      devices_.try_emplace(named.value_or(0), static_cast<std::uint16_t>(trace_.device_ids.size()));
  if (added && trace_.device_ids.size() == most_trace_devices) fail_limit(most_trace_devices, "devices");
  if (added) trace_.device_ids.push_back(found->first);
  return found->second;
}

void TraceHandler::fail_limit(std::size_t most, std::string_view what) const {
  throw Error(ErrorKind::usage, fmt::format("{}: more than {} {}", trace_.source, most, what),
              std::string(record_again));
}

TraceEvents TraceHandler::take() {
  if (!found_events_ && foreign_ != nullptr) {
    throw Error(ErrorKind::usage, fmt::format("{}: {}, but no trace of a profiler", trace_.source, foreign_->is),
                std::string(foreign_->remedy));
  }
  if (!found_events_) {
    throw Error(ErrorKind::usage, trace_.source + ": JSON, but no trace: it has no traceEvents, or no list of them",
                "name a trace of PyTorch's profiler: prof.export_chrome_trace(\"FILE.json.gz\")");
  }
  for (std::size_t i = 0; i < open_ranges_; ++i) leave_out("with a begin (ph B) and no end", 0);
  for (auto* tallies : {&trace_.not_known, &trace_.not_needed})  // a range without an end was not counted there
    std::erase_if(*tallies, [](const auto& tally) { return tally.second.events == 0; });
  if (trace_.events.empty()) fail_without_events();
  return std::move(trace_);
}

void TraceHandler::fail_without_events() const {
  std::string others;
  for (const auto* tallies : {&trace_.not_known, &trace_.not_needed, &trace_.left_out}) {
    for (const auto& [what, tally] : *tallies)
      others += fmt::format("{}{} {}", others.empty() ? "" : ", ", tally.events, what);
  }
  const bool foreign = !trace_.not_known.empty() && trace_.not_needed.empty();
  const bool damaged = !trace_.left_out.empty() && trace_.not_known.empty() && trace_.not_needed.empty();
  throw Error(ErrorKind::usage,
              fmt::format("{}: a trace without operators, calls or kernels{}{}{}", trace_.source,
                          others.empty() ? "" : " (it holds: ", others, others.empty() ? "" : ")"),
              damaged ? "record it again: none of its events can be used"
              : foreign
                  ? "record it with torch.profiler: no profiler of PyTorch that stepgate knows writes these categories"
                  : "record it with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA] around some steps");
}

}  // namespace stepgate
