// Reads what an ELF program says of itself without any debugger: its build id and the names of its functions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace stepgate {

struct FunctionSymbol {
  std::uint64_t address = 0;  ///< as in the file
  std::uint64_t bytes = 0;    ///< 0: unknown
  std::string name;           ///< mangled
};

struct ElfSymbols {
  std::string build_id;                   ///< hexadecimal; "" if it has none
  std::vector<FunctionSymbol> functions;  ///< those in .symtab, by address; empty for a stripped program
};

/// Everything it needs is checked against the size of the file, so a broken or hostile file gives less, never an error.
/// Empty for a file that cannot be read or is not a 64-bit little-endian ELF file.
ElfSymbols read_elf_symbols(const std::filesystem::path& program);

/// Its build id alone, hexadecimal; "" if it has none.
std::string build_id_of(const std::filesystem::path& program);

/// The mangled name of the function that holds the address; "" if none does.
std::string function_at(const ElfSymbols& symbols, std::uint64_t address);

}  // namespace stepgate
