// The sections of an ELF file. Everything is checked against the size of the file, so a broken or hostile file gives
// less, never an error. Internal to system/.
#pragma once

#include <elf.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "system/descriptor.h"

namespace stepgate {

/// What is read of one file, whatever its headers say: sections may overlap. A perftest program has some 10 MB of
/// symbols.
inline constexpr std::uint64_t most_elf_bytes = std::uint64_t{1} << 30U;

class ElfFile {
 public:
  /// Without sections if the file cannot be read or is not a 64-bit little-endian ELF file.
  explicit ElfFile(const std::filesystem::path& path);

  const std::vector<Elf64_Shdr>& sections() const { return sections_; }

  /// "" where the file does not hold all of it.
  std::string content(const Elf64_Shdr& section) const {
    return section.sh_type == SHT_NOBITS ? "" : bytes_at(section.sh_offset, section.sh_size);
  }

  /// The content of the section that `section` is linked to: the names of a table.
  std::string names_of(const Elf64_Shdr& section) const {
    return section.sh_link < sections_.size() ? content(sections_[section.sh_link]) : "";
  }

 private:
  std::string bytes_at(std::uint64_t offset, std::uint64_t count) const;

  Descriptor file_;
  std::uint64_t size_ = 0;
  mutable std::uint64_t left_bytes_ = most_elf_bytes;
  std::vector<Elf64_Shdr> sections_;
};

/// The text of a table of names from `at` up to its closing zero byte, which a broken table may lack: then "".
/// Also "" for a name of more than 64 KiB.
std::string name_at(std::string_view names, std::size_t at);

}  // namespace stepgate
