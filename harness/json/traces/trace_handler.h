// Picks the events out of the JSON values of a trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/study/trace_events.h"
#include "json/traces/foreign_format.h"
#include "json/traces/operand_reader.h"
#include "json/traces/trace_limits.h"

namespace stepgate {

/// Gets what TraceParser finds, in the order of the text. Throws Error(usage) where a limit is passed.
class TraceHandler {
 public:
  TraceHandler(std::string source, const TraceLimits& limits);

  void key(const std::string& name);
  void text(const std::string& value);
  void number(const std::string& digits);
  void start_object();
  void end_object();
  void start_array();
  void end_array();

  /// Whether the list of events is being read.
  bool in_events() const { return section_ == Section::events; }
  /// Forgets the event that has begun, and counts it. Only while in_events().
  void give_up_event();
  /// Open objects and arrays.
  std::size_t depth() const { return depth_; }

  std::size_t events() const { return trace_.events.size(); }
  /// The events; call once, after the whole text was parsed.
  TraceEvents take();

 private:
  /// The part of the document that is read now.
  enum class Section { other, events, devices, ranks };

  /// One element of traceEvents while its keys come in.
  struct Draft {
    std::string name;
    std::string phase;
    std::string category;
    std::string process;
    std::string thread;
    std::optional<std::int64_t> start_ns;
    std::optional<std::int64_t> duration_ns;
    std::optional<std::int64_t> device;
    std::int64_t correlation = 0;
    bool unreadable_time = false;

    void clear();
  };

  /// A range that began, ph B, and has not ended yet.
  struct OpenRange {
    std::optional<TraceEvent> event;  ///< absent where no account reads it, or where its time is not known
    std::optional<std::int64_t> start_ns;
    EventTally* unread = nullptr;  ///< where its length is counted, if no account reads it
  };

  bool at_event() const { return section_ == Section::events && depth_ == element_depth_; }
  bool at_arguments() const { return section_ == Section::events && depth_ == element_depth_ + 1 && in_arguments_; }
  /// Whether a list among the arguments of an event is read that may hold operands.
  bool at_operands() const {
    return limits_.operands > 0 && section_ == Section::events && in_arguments_ && depth_ > element_depth_ + 1;
  }
  std::size_t operand_level() const { return depth_ - element_depth_ - 1; }
  void descend();
  void enter_section(Section section, std::size_t element_depth);
  void take_field(const std::string& value);
  void take_argument(const std::string& value);
  void take_version(const std::string& value);
  void end_element();
  void take_whole_event();
  void begin_range();
  void end_range();
  void leave_out(const std::string& what, double ns);
  /// Where the event of the draft is counted; null if an account reads it.
  EventTally* tally_of_draft();
  std::optional<TraceCategory> category_of_draft() const;
  TraceEvent event_of_draft(TraceCategory category);
  void keep(const TraceEvent& event);
  std::uint32_t name_index();
  std::int64_t operands_place();
  std::uint16_t thread_index();
  std::uint16_t device_index();
  [[noreturn]] void fail_limit(std::size_t most, std::string_view what) const;
  [[noreturn]] void fail_without_events() const;

  TraceLimits limits_;
  TraceEvents trace_;
  Section section_ = Section::other;
  std::size_t depth_ = 0;
  std::size_t element_depth_ = 0;  ///< depth of the objects that are elements of the section
  bool found_events_ = false;
  bool in_arguments_ = false;
  const ForeignFormat* foreign_ = nullptr;  ///< what the document is, by its keys
  std::string key_;
  Draft draft_;
  OperandReader operands_;
  std::optional<std::int64_t> described_device_;
  std::string described_model_;
  std::unordered_map<std::string_view, std::uint32_t> names_;  ///< views of TraceEvents::names
  std::unordered_map<std::string, std::uint16_t> threads_;
  std::unordered_map<std::int64_t, std::uint16_t> devices_;
  std::unordered_map<std::string, std::vector<OpenRange>> open_;  ///< by thread, the innermost last
  std::size_t open_ranges_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace stepgate
