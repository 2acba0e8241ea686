#include "measure/device/work/program_image.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <torch/csrc/profiler/unwind/unwind.h>

#include <cstring>

namespace stepgate {
namespace {

std::size_t padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

/// The build id in the notes of one segment; "" if none of them is one.
std::string build_id_in(const unsigned char* notes, std::size_t size) {
  std::size_t at = 0;
  while (at + sizeof(ElfW(Nhdr)) <= size) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes + at, sizeof note);
    const std::size_t name = at + sizeof note;
    const std::size_t content = name + padded(note.n_namesz);
    at = content + padded(note.n_descsz);
    if (at > size) return "";
    const bool is_gnu = note.n_namesz == 4 && std::memcmp(notes + name, "GNU", 4) == 0;
    if (!is_gnu || note.n_type != NT_GNU_BUILD_ID) continue;
    std::string text;
    for (std::size_t i = 0; i < note.n_descsz; ++i) text += fmt::format("{:02x}", notes[content + i]);
    return text;
  }
  return "";
}

/// The first object that the dynamic linker lists is the program.
int read_program(dl_phdr_info* object, std::size_t /*size*/, void* result) {
  auto& image = *static_cast<ProgramImage*>(result);
  image.load_base = object->dlpi_addr;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0) {
      image.code.emplace_back(begin, begin + segment.p_memsz);
    } else if (segment.p_type == PT_NOTE && image.build_id.empty()) {
      image.build_id = build_id_in(reinterpret_cast<const unsigned char*>(begin), segment.p_memsz);
    }
  }
  return 1;  // ends the list
}

}  // namespace

ProgramImage program_image() {
  ProgramImage image;
  ::dl_iterate_phdr(read_program, &image);
  return image;
}

std::vector<std::uint64_t> own_calls_on_stack(const ProgramImage& image) {
  std::vector<std::uint64_t> offsets;
  for (const void* const frame : torch::unwind::unwind()) {
    const auto address = reinterpret_cast<std::uintptr_t>(frame);
    if (image.holds(address)) offsets.push_back(address - image.load_base - 1);
  }
  return offsets;
}

}  // namespace stepgate
