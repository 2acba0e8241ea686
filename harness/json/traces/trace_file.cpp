#include "json/traces/trace_file.h"

#include <fmt/format.h>

#include <string>

#include "core/error.h"
#include "json/traces/foreign_format.h"
#include "json/traces/trace_handler.h"
#include "json/traces/trace_parser.h"
#include "json/traces/trace_text.h"

namespace stepgate {

TraceEvents read_trace_file(const std::filesystem::path& path, const TraceLimits& limits) {
  TraceText text(path, limits);
  if (const ForeignFormat* format = foreign_file(text.ahead())) {
    throw Error(ErrorKind::usage, fmt::format("{}: {}, no trace", path.string(), format->is),
                std::string(format->remedy));
  }
  TraceHandler handler(path.string(), limits);
  TraceParser(text, handler).parse();
  TraceEvents trace = handler.take();
  trace.text_bytes = text.position();
  return trace;
}

}  // namespace stepgate
