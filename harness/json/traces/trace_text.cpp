#include "json/traces/trace_text.h"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "core/error.h"

namespace stepgate {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20U;

}  // namespace

TraceText::TraceText(std::filesystem::path path, const TraceLimits& limits)
    : path_(std::move(path)), most_bytes_(limits.text_bytes), input_(path_, ErrorKind::usage), piece_(piece_bytes) {}

void TraceText::refill() {
  at_ = 0;
  end_ = 0;
  end_ = input_.read(piece_);
  if (input_.position() <= most_bytes_) return;
  throw Error(ErrorKind::usage, fmt::format("{}: more than {} MiB of text", path_.string(), most_bytes_ >> 20U),
              "record fewer steps, e.g. torch.profiler.schedule(wait=1, warmup=1, active=5), without with_stack");
}

}  // namespace stepgate
