#include "system/elf/elf_libraries.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "system/elf/elf_file.h"

namespace stepgate {
namespace {

std::string with_origin(std::string folder, const std::string& origin) {
  for (const std::string_view token : {"${ORIGIN}", "$ORIGIN"}) {
    for (std::size_t at = 0; (at = folder.find(token, at)) != std::string::npos; at += origin.size())
      folder.replace(at, token.size(), origin);
  }
  return folder;
}

std::vector<std::string> folders_of(const std::string& list, const std::filesystem::path& file) {
  std::vector<std::string> folders = folders_in(list);
  for (std::string& folder : folders) folder = with_origin(std::move(folder), file.parent_path().string());
  return folders;
}

}  // namespace

std::vector<std::string> folders_in(const std::string& list) {
  std::vector<std::string> folders;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    if (end > begin) folders.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return folders;
}

ElfLibraries read_elf_libraries(const std::filesystem::path& file) {
  const ElfFile elf(file);
  ElfLibraries libraries;
  for (const Elf64_Shdr& section : elf.sections()) {
    if (section.sh_type != SHT_DYNAMIC) continue;
    const std::string names = elf.names_of(section);
    const std::string entries = elf.content(section);
    for (std::size_t at = 0; at + sizeof(Elf64_Dyn) <= entries.size(); at += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry{};
      std::memcpy(&entry, entries.data() + at, sizeof entry);
      if (entry.d_tag == DT_NULL) break;
      const auto name = [&] { return name_at(names, entry.d_un.d_val); };
      if (entry.d_tag == DT_NEEDED) libraries.needed.push_back(name());
      if (entry.d_tag == DT_RPATH) libraries.rpath = folders_of(name(), file);
      if (entry.d_tag == DT_RUNPATH) libraries.runpath = folders_of(name(), file);
    }
  }
  return libraries;
}

}  // namespace stepgate
