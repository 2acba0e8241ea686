#include "emulator/machine/program_offsets.h"

#include <execinfo.h>
#include <link.h>

#include <array>

namespace stepgate::emulator {
namespace {

/// As many as OperatorFinder looks at.
constexpr int most_stack_frames = 256;
/// Enough for a call of the user's code within functions of a training loop.
constexpr std::size_t most_offsets = 16;

struct AddressRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct ProgramCode {
  std::uint64_t bias = 0;
  std::vector<AddressRange> ranges = {};
};

int add_program(dl_phdr_info* info, std::size_t /*size*/, void* state) {
  auto& code = *static_cast<ProgramCode*>(state);
  code.bias = info->dlpi_addr;
  for (int part = 0; part < info->dlpi_phnum; ++part) {
    const ElfW(Phdr)& header = info->dlpi_phdr[part];
    const bool is_code = header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0;
    const std::uint64_t begin = info->dlpi_addr + header.p_vaddr;
    if (is_code) code.ranges.push_back({begin, begin + header.p_memsz});
  }
  return 1;  // the first object is the program
}

const ProgramCode& program_code() {
  static const ProgramCode& code = *[] {
    auto* found = new ProgramCode;  // never freed: destructors of static objects may still call
    ::dl_iterate_phdr(add_program, found);
    return found;
  }();
  return code;
}

bool holds(const ProgramCode& code, std::uint64_t address) {
  for (const AddressRange& range : code.ranges) {
    if (address >= range.begin && address < range.end) return true;
  }
  return false;
}

}  // namespace

std::vector<std::uint64_t> program_offsets() {
  std::array<void*, most_stack_frames> frames{};
  const int depth = ::backtrace(frames.data(), most_stack_frames);
  const ProgramCode& code = program_code();
  std::vector<std::uint64_t> offsets;
  for (int frame = 0; frame < depth && offsets.size() < most_offsets; ++frame) {
    // A return address is behind its call.
    const std::uint64_t address = reinterpret_cast<std::uintptr_t>(frames[static_cast<std::size_t>(frame)]) - 1;
    if (holds(code, address)) offsets.push_back(address - code.bias);
  }
  return offsets;
}

}  // namespace stepgate::emulator
