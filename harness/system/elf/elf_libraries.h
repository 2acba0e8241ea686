// Which libraries an ELF file asks for, and where the loader looks for them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stepgate {

struct ElfLibraries {
  std::vector<std::string> needed;  ///< DT_NEEDED, in its order
  std::vector<std::string> rpath;   ///< folders of DT_RPATH, which the loader takes before LD_LIBRARY_PATH
  std::vector<std::string>
      runpath;  ///< folders of DT_RUNPATH, which it takes after it; where there are any, no rpath counts
};

/// $ORIGIN in the folders is already the folder of `file`. Empty if the file is not an ELF file; a damaged one gives
/// less, never an error.
ElfLibraries read_elf_libraries(const std::filesystem::path& file);

/// The folders of a list with colons, as DT_RUNPATH and LD_LIBRARY_PATH are. Empty ones are left out.
std::vector<std::string> folders_in(const std::string& list);

}  // namespace stepgate
