#include "emulator/hazards/call_stack.h"

#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <array>

namespace stepgate::emulator {
namespace {

/// Enough for autograd around modules around an operator.
constexpr int most_stack_frames = 256;

struct ProgramSpan {
  std::uintptr_t load_base = 0;
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

/// The loader lists the program first.
int read_program_span(::dl_phdr_info* info, std::size_t /*size*/, void* result) {
  auto& span = *static_cast<ProgramSpan*>(result);
  span.load_base = info->dlpi_addr;
  for (int place = 0; place < info->dlpi_phnum; ++place) {
    const auto& segment = info->dlpi_phdr[place];
    const bool is_code = segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0;
    if (!is_code) continue;
    const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    span.begin = span.end == 0 ? begin : std::min(span.begin, begin);
    span.end = std::max(span.end, static_cast<std::uintptr_t>(begin + segment.p_memsz));
  }
  return 1;
}

ProgramSpan program_span() {
  ProgramSpan span;
  ::dl_iterate_phdr(read_program_span, &span);
  return span;
}

}  // namespace

std::vector<std::uint64_t> program_offsets() {
  static const ProgramSpan span = program_span();
  std::array<void*, most_stack_frames> frames{};
  const int depth = ::backtrace(frames.data(), most_stack_frames);
  std::vector<std::uint64_t> offsets;
  for (int frame = 0; frame < depth; ++frame) {
    const auto address = reinterpret_cast<std::uintptr_t>(frames[static_cast<std::size_t>(frame)]);
    if (address > span.begin && address <= span.end) offsets.push_back(address - span.load_base - 1);
  }
  return offsets;
}

}  // namespace stepgate::emulator
