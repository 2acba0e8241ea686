#include "system/elf/elf_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "system/files/regular_file.h"

namespace stepgate {
namespace {

constexpr std::uint64_t most_sections = 100'000;
/// The names of templates in templates are long, and no longer than this.
constexpr std::size_t most_name_bytes = std::size_t{1} << 16U;

}  // namespace

ElfFile::ElfFile(const std::filesystem::path& path) : file_(open_regular_file(path, O_RDONLY).descriptor) {
  struct stat facts {};
  if (file_.is_open() && ::fstat(file_.number(), &facts) == 0) size_ = static_cast<std::uint64_t>(facts.st_size);
  const std::string start = bytes_at(0, sizeof(Elf64_Ehdr));
  if (start.size() != sizeof(Elf64_Ehdr)) return;
  Elf64_Ehdr header{};
  std::memcpy(&header, start.data(), sizeof header);
  const bool known = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
                     header.e_ident[EI_DATA] == ELFDATA2LSB && header.e_shentsize == sizeof(Elf64_Shdr);
  if (!known || header.e_shnum > most_sections) return;
  const std::string table = bytes_at(header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr));
  sections_.resize(table.size() / sizeof(Elf64_Shdr));
  if (!sections_.empty()) std::memcpy(sections_.data(), table.data(), sections_.size() * sizeof(Elf64_Shdr));
}

std::string ElfFile::bytes_at(std::uint64_t offset, std::uint64_t count) const {
  if (offset > size_ || count > size_ - offset || count > left_bytes_) return "";
  left_bytes_ -= count;
  std::string bytes(count, '\0');
  for (std::size_t done = 0; done < count;) {
    const auto at = static_cast<off_t>(offset + done);
    const ssize_t got = uninterrupted([&] { return ::pread(file_.number(), bytes.data() + done, count - done, at); });
    if (got <= 0) return "";  // it shrank meanwhile
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

std::string name_at(std::string_view names, std::size_t at) {
  if (at >= names.size()) return "";
  names = names.substr(at, most_name_bytes);
  const std::size_t end = names.find('\0');
  return end == std::string_view::npos ? "" : std::string(names.substr(0, end));
}

}  // namespace stepgate
