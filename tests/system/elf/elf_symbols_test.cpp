#include "system/elf/elf_symbols.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <random>

#include "support/temporary_folder.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

const std::filesystem::path own_program = "/proc/self/exe";

TEST(ElfSymbols, KnowFunctionsAndBuildIdOfThisProgram) {
  const ElfSymbols symbols = read_elf_symbols(std::filesystem::read_symlink(own_program));
  EXPECT_GE(symbols.build_id.size(), 16U);
  const auto found = std::find_if(symbols.functions.begin(), symbols.functions.end(), [](const FunctionSymbol& one) {
    return one.name == "_ZN8stepgate16read_elf_symbolsERKNSt10filesystem7__cxx114pathE";
  });
  ASSERT_NE(found, symbols.functions.end());
  EXPECT_EQ(function_at(symbols, found->address), found->name);
  EXPECT_EQ(function_at(symbols, found->address + found->bytes - 1), found->name);
  EXPECT_NE(function_at(symbols, found->address + found->bytes), found->name);
  EXPECT_EQ(function_at(symbols, 0), "");
}

// Every offset, count and index in the file may be anything: the sanitizers see what is read out of bounds.
TEST(ElfSymbols, OfADamagedProgramAreFewerAndNoError) {
  const std::string whole = text_of(own_program);
  const std::size_t table_at = *reinterpret_cast<const std::uint64_t*>(whole.data() + 40);  // Elf64_Ehdr::e_shoff
  std::mt19937_64 random(7);
  const TemporaryFolder folder;
  const auto file = folder.path() / "damaged";
  std::filesystem::copy_file(std::filesystem::read_symlink(own_program), file);
  for (int i = 0; i < 60; ++i) {
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    const std::size_t begin = i % 3 == 0 ? 0 : table_at;
    stream.seekp(static_cast<std::streamoff>(begin + random() % (i % 3 == 0 ? 64 : 2000)));
    stream.put(static_cast<char>(random()));
    stream.close();
    const ElfSymbols symbols = read_elf_symbols(file);
    EXPECT_LT(symbols.functions.size(), whole.size());
    function_at(symbols, random());
  }
}

/// 65 000 sections of notes that all say to be the whole file: 16 TB to read.
TEST(ElfSymbols, OfOverlappingSectionsAreNotReadForEver) {
  constexpr std::uint64_t file_bytes = std::uint64_t{256} << 20U;
  constexpr std::uint16_t sections = 65'000;
  std::string bytes(sizeof(Elf64_Ehdr) + sections * sizeof(Elf64_Shdr), '\0');
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shoff = sizeof(Elf64_Ehdr);
  header.e_shnum = sections;
  std::memcpy(bytes.data(), &header, sizeof header);
  Elf64_Shdr section{};
  section.sh_type = SHT_NOTE;
  section.sh_size = file_bytes;
  for (std::size_t i = 0; i < sections; ++i)
    std::memcpy(bytes.data() + sizeof header + i * sizeof section, &section, sizeof section);
  const TemporaryFolder folder;
  const auto file = folder.write("program", bytes);
  std::filesystem::resize_file(file, file_bytes);
  ::alarm(120);  // red, and not stuck
  EXPECT_EQ(build_id_of(file), "");
  ::alarm(0);
}

TEST(ElfSymbols, AreEmptyForWhatIsNoProgram) {
  const TemporaryFolder folder;
  write_file_atomically(folder.path() / "text", "no program");
  EXPECT_TRUE(read_elf_symbols(folder.path() / "text").functions.empty());
  EXPECT_TRUE(read_elf_symbols(folder.path() / "missing").functions.empty());
  EXPECT_EQ(build_id_of("/dev/zero"), "");
}

}  // namespace
}  // namespace stepgate
