#include "system/elf_symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include "system/regular_file.h"

namespace stepgate {
namespace {

/// What is read of one file, whatever its headers say: sections may overlap. A perftest program has some 10 MB of
/// symbols.
constexpr std::uint64_t most_read_bytes = std::uint64_t{1} << 30U;
constexpr std::uint64_t most_sections = 100'000;
/// The names of templates in templates are long, and no longer than this.
constexpr std::size_t most_name_bytes = std::size_t{1} << 16U;

class ElfFile {
 public:
  explicit ElfFile(const std::filesystem::path& path) : file_(open_regular_file(path, O_RDONLY).descriptor) {
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

  const std::vector<Elf64_Shdr>& sections() const { return sections_; }

  /// "" where the file does not hold all of it.
  std::string content(const Elf64_Shdr& section) const {
    return section.sh_type == SHT_NOBITS ? "" : bytes_at(section.sh_offset, section.sh_size);
  }

 private:
  std::string bytes_at(std::uint64_t offset, std::uint64_t count) const {
    if (offset > size_ || count > size_ - offset || count > left_bytes_) return "";
    left_bytes_ -= count;
    std::string bytes(count, '\0');
    for (std::size_t done = 0; done < count;) {
      const ssize_t got = ::pread(file_.number(), bytes.data() + done, count - done, static_cast<off_t>(offset + done));
      if (got <= 0) return "";  // it shrank meanwhile
      done += static_cast<std::size_t>(got);
    }
    return bytes;
  }

  Descriptor file_;
  std::uint64_t size_ = 0;
  mutable std::uint64_t left_bytes_ = most_read_bytes;
  std::vector<Elf64_Shdr> sections_;
};

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

constexpr std::size_t padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

/// The GNU build id among the notes of one section; "" if it is not there.
std::string build_id_in(std::string_view notes) {
  while (notes.size() >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr header{};
    std::memcpy(&header, notes.data(), sizeof header);
    notes.remove_prefix(sizeof header);
    if (padded(header.n_namesz) > notes.size()) return "";
    const std::string_view owner = notes.substr(0, header.n_namesz);
    notes.remove_prefix(padded(header.n_namesz));
    if (header.n_descsz > notes.size()) return "";
    if (header.n_type == NT_GNU_BUILD_ID && owner == std::string_view("GNU\0", 4))
      return hexadecimal(notes.substr(0, header.n_descsz));
    notes.remove_prefix(std::min(padded(header.n_descsz), notes.size()));
  }
  return "";
}

std::string build_id_in(const ElfFile& file) {
  for (const Elf64_Shdr& section : file.sections()) {
    if (section.sh_type != SHT_NOTE) continue;
    if (std::string id = build_id_in(file.content(section)); !id.empty()) return id;
  }
  return "";
}

/// Up to its closing zero byte, which a broken table may lack.
std::string name_at(std::string_view names, std::size_t at) {
  if (at >= names.size()) return "";
  names = names.substr(at, most_name_bytes);
  const std::size_t end = names.find('\0');
  return end == std::string_view::npos ? "" : std::string(names.substr(0, end));
}

std::vector<FunctionSymbol> functions_of(const ElfFile& file, const Elf64_Shdr& table) {
  std::vector<FunctionSymbol> functions;
  if (table.sh_link >= file.sections().size()) return functions;
  const std::string names = file.content(file.sections()[table.sh_link]);
  const std::string symbols = file.content(table);
  std::uint64_t left_bytes = most_read_bytes;  // of all names together: they may overlap
  for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol{};
    std::memcpy(&symbol, symbols.data() + at, sizeof symbol);
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
    std::string name = name_at(names, symbol.st_name);
    if (name.size() > left_bytes) break;
    left_bytes -= name.size();
    if (!name.empty()) functions.push_back({symbol.st_value, symbol.st_size, std::move(name)});
  }
  std::stable_sort(functions.begin(), functions.end(),
                   [](const FunctionSymbol& a, const FunctionSymbol& b) { return a.address < b.address; });
  return functions;
}

}  // namespace

ElfSymbols read_elf_symbols(const std::filesystem::path& program) {
  const ElfFile file(program);
  ElfSymbols symbols{.build_id = build_id_in(file), .functions = {}};
  for (const Elf64_Shdr& section : file.sections()) {
    if (section.sh_type == SHT_SYMTAB && symbols.functions.empty()) symbols.functions = functions_of(file, section);
  }
  return symbols;
}

std::string build_id_of(const std::filesystem::path& program) { return build_id_in(ElfFile(program)); }

std::string function_at(const ElfSymbols& symbols, std::uint64_t address) {
  const auto next =
      std::upper_bound(symbols.functions.begin(), symbols.functions.end(), address,
                       [](std::uint64_t wanted, const FunctionSymbol& one) { return wanted < one.address; });
  if (next == symbols.functions.begin()) return "";
  const FunctionSymbol& before = *std::prev(next);
  const bool inside = before.bytes == 0 || address - before.address < before.bytes;
  return inside ? before.name : "";
}

}  // namespace stepgate
