#include "system/elf/elf_symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "system/elf/elf_file.h"

namespace stepgate {
namespace {

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

std::vector<FunctionSymbol> functions_of(const ElfFile& file, const Elf64_Shdr& table) {
  std::vector<FunctionSymbol> functions;
  const std::string names = file.names_of(table);
  const std::string symbols = file.content(table);
  std::uint64_t left_bytes = most_elf_bytes;  // for all names together: they may overlap
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
