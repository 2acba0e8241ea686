// Picks the events out of the stream of JSON values of a trace. Internal to json/ (mentions nlohmann).
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/study/trace_events.h"
#include "json/traces/trace_limits.h"

namespace stepgate {

/// A handler of nlohmann::json::sax_parse. Throws Error(usage) where a limit is passed.
class TraceHandler {
 public:
  using Parsed = nlohmann::json;

  TraceHandler(std::string source, const TraceLimits& limits);

  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(Parsed::number_integer_t value) { return take_number(value); }
  bool number_unsigned(Parsed::number_unsigned_t value);
  bool number_float(Parsed::number_float_t value, const std::string& digits);
  bool string(std::string& text);
  bool binary(Parsed::binary_t&) { return true; }
  bool start_object(std::size_t);
  bool end_object();
  bool start_array(std::size_t);
  bool end_array();
  bool key(std::string& name);
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error);

  /// How many characters come before the place where the text stops being JSON; absent if all of it is JSON.
  std::optional<std::size_t> stopped_at() const { return stopped_at_; }
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
  };

  bool at_event() const { return section_ == Section::events && depth_ == element_depth_; }
  bool at_arguments() const { return section_ == Section::events && depth_ == element_depth_ + 1 && in_arguments_; }
  void descend();
  bool take_number(std::int64_t value);
  void take_argument(std::int64_t value);
  void enter_section(Section section, int element_depth);
  void begin_element();
  void end_element();
  void keep(TraceCategory category);
  std::uint32_t name_index();
  std::uint32_t thread_index();

  TraceLimits limits_;
  TraceEvents trace_;
  Section section_ = Section::other;
  int depth_ = 0;
  int element_depth_ = 0;  ///< depth of the objects that are elements of the section
  bool found_events_ = false;
  bool in_arguments_ = false;
  std::string key_;
  Draft draft_;
  std::optional<std::int64_t> described_device_;
  std::string described_model_;
  std::unordered_map<std::string, std::uint32_t> names_;
  std::unordered_map<std::string, std::uint32_t> threads_;
  std::optional<std::size_t> stopped_at_;
};

}  // namespace stepgate
