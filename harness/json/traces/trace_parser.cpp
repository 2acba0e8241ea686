#include "json/traces/trace_parser.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/text/excerpt.h"

namespace stepgate {

void TraceParser::parse() {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text_.ahead().starts_with(byte_order_mark)) text_.skip(byte_order_mark.size());
  for (;;) {
    const TraceToken token = scanner_.next(expect_ == Expect::key_or_end);
    if (token == TraceToken::end) break;
    if (take(token)) continue;
    if (!handler_.in_events()) fail_not_json();
    if (!find_next_event()) return;
  }
  if (expect_ != Expect::nothing) fail_cut_off();
}

bool TraceParser::take(TraceToken token) {
  switch (expect_) {
    case Expect::document:
    case Expect::value:
    case Expect::value_or_end:
      return take_value(token);
    case Expect::key_or_end:
      if (token != TraceToken::text) return close(token);
      handler_.key(scanner_.value());
      expect_ = Expect::colon;
      return true;
    case Expect::colon:
      if (token != TraceToken::colon) return false;
      expect_ = Expect::value;
      return true;
    case Expect::comma_or_end:
      if (token != TraceToken::comma) return close(token);
      // A comma may also stand behind the last one: producers that write event by event leave it there.
      expect_ = levels_.back() == TraceToken::begin_object ? Expect::key_or_end : Expect::value_or_end;
      return true;
    case Expect::nothing:
      return false;
  }
  return false;
}

bool TraceParser::take_value(TraceToken token) {
  switch (token) {
    case TraceToken::begin_object:
      levels_.push_back(token);
      handler_.start_object();
      expect_ = Expect::key_or_end;
      return true;
    case TraceToken::begin_array:
      levels_.push_back(token);
      handler_.start_array();
      expect_ = Expect::value_or_end;
      return true;
    case TraceToken::text:
      handler_.text(scanner_.value());
      after_value();
      return true;
    case TraceToken::number:
      handler_.number(scanner_.value());
      after_value();
      return true;
    case TraceToken::word:
      after_value();
      return true;
    default:
      return expect_ == Expect::value_or_end && close(token);
  }
}

bool TraceParser::close(TraceToken token) {
  if (levels_.empty()) return false;
  const bool object = levels_.back() == TraceToken::begin_object;
  if (token != (object ? TraceToken::end_object : TraceToken::end_array)) return false;
  levels_.pop_back();
  object ? handler_.end_object() : handler_.end_array();
  after_value();
  return true;
}

void TraceParser::after_value() { expect_ = levels_.empty() ? Expect::nothing : Expect::comma_or_end; }

bool TraceParser::find_next_event() {
  handler_.give_up_event();
  levels_.resize(handler_.depth());
  if (!scanner_.find_element()) {
    if (!scanner_.closed()) fail_cut_off();
    return false;  // what ends the list of events was lost with the last of them
  }
  levels_.push_back(TraceToken::begin_object);
  handler_.start_object();
  expect_ = Expect::key_or_end;
  return true;
}

void TraceParser::fail_cut_off() const {
  const std::string file = text_.path().string();
  const bool blank = expect_ == Expect::document && scanner_.start() == text_.position();
  if (blank) {
    throw Error(ErrorKind::usage, file + ": the file is empty",
                "let the program that records the trace end, and name the file again");
  }
  throw Error(
      ErrorKind::usage,
      fmt::format("{}: cut off after {} bytes of text and {} events", file, text_.position(), handler_.events()),
      "copy the file again, or let the program that records it end; recording fewer steps makes it smaller");
}

void TraceParser::fail_not_json() const {
  throw Error(
      ErrorKind::usage,
      fmt::format("{}: not JSON from byte {} of the text on: \"{}\"", text_.path().string(), scanner_.start() + 1,
                  excerpt(scanner_.value(), 40)),
      expect_ == Expect::document
          ? "name a trace of PyTorch's profiler: prof.export_chrome_trace(\"FILE.json.gz\")"
          : "copy the file again, or record the trace again; gzip -t FILE tells whether a compressed one is damaged");
}

}  // namespace stepgate
