// Follows the grammar of JSON through the text of a trace, and hands what it finds to a TraceHandler.
#pragma once

#include <vector>

#include "json/traces/trace_handler.h"
#include "json/traces/trace_scanner.h"

namespace stepgate {

class TraceParser {
 public:
  TraceParser(TraceText& text, TraceHandler& handler) : text_(text), scanner_(text), handler_(handler) {}

  /// Reads the whole text. Where the list of events holds something that is not JSON, the event is given up, and
  /// reading goes on with the next one. Throws Error(usage), naming the file, where it is empty, cut off, or not JSON
  /// in any other place.
  void parse();

 private:
  enum class Expect { document, key_or_end, colon, value, value_or_end, comma_or_end, nothing };

  bool take(TraceToken token);
  bool take_value(TraceToken token);
  bool close(TraceToken token);
  void after_value();
  /// False at the end of the text.
  bool find_next_event();
  [[noreturn]] void fail_cut_off() const;
  [[noreturn]] void fail_not_json() const;

  TraceText& text_;
  TraceScanner scanner_;
  TraceHandler& handler_;
  std::vector<TraceToken> levels_;  ///< begin_object or begin_array of each open level
  Expect expect_ = Expect::document;
};

}  // namespace stepgate
