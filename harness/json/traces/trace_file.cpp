#include "json/traces/trace_file.h"

#include <fmt/format.h>

#include <istream>
#include <span>
#include <streambuf>
#include <vector>

#include "json/traces/trace_handler.h"
#include "system/files/gzip_input.h"

namespace stepgate {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20U;

/// The text of the file as the parser reads it. What it throws passes through the parser.
class TraceText : public std::streambuf {
 public:
  TraceText(const std::filesystem::path& path, const TraceLimits& limits)
      : path_(path), limits_(limits), input_(path, ErrorKind::usage), piece_(piece_bytes) {}

  std::uint64_t bytes() const { return input_.position(); }
  /// True once something asked for more than there is.
  bool ended() const { return ended_; }

 protected:
  int_type underflow() override {
    const std::size_t got = input_.read(piece_);
    ended_ = got == 0;
    if (ended_) return traits_type::eof();
    if (input_.position() > limits_.text_bytes) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: more than {} MiB of text", path_.string(), limits_.text_bytes >> 20U),
                  "record fewer steps, e.g. torch.profiler.schedule(wait=1, warmup=1, active=5), without with_stack");
    }
    setg(piece_.data(), piece_.data(), piece_.data() + got);
    return traits_type::to_int_type(piece_[0]);
  }

 private:
  const std::filesystem::path& path_;
  const TraceLimits& limits_;
  GzipInput input_;
  std::vector<char> piece_;
  bool ended_ = false;
};

/// A text that stops in the middle is cut off; one that goes on in another way is something else.
[[noreturn]] void fail(const std::filesystem::path& path, const TraceText& text, const TraceHandler& handler) {
  if (text.bytes() == 0) {
    throw Error(ErrorKind::usage, path.string() + ": the file is empty",
                "let the program that records the trace end, and name the file again");
  }
  if (text.ended()) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: cut off after {} bytes of text and {} events", path.string(), text.bytes(), handler.events()),
        "copy the file again, or let the program that records it end; recording fewer steps makes it smaller");
  }
  throw Error(
      ErrorKind::usage, fmt::format("{}: not JSON from byte {} of the text on", path.string(), *handler.stopped_at()),
      "name a trace of PyTorch's profiler, .json or .json.gz; gzip -t FILE tells whether a compressed one is damaged");
}

}  // namespace

TraceEvents read_trace_file(const std::filesystem::path& path, const TraceLimits& limits) {
  TraceText text(path, limits);
  std::istream stream(&text);
  TraceHandler handler(path.string(), limits);
  if (!nlohmann::json::sax_parse(stream, &handler)) fail(path, text, handler);
  TraceEvents trace = handler.take();
  trace.text_bytes = text.bytes();
  return trace;
}

}  // namespace stepgate
