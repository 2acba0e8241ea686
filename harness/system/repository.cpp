#include "system/repository.h"

#include <system_error>

namespace stepgate {

std::filesystem::path repository_around(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  std::error_code unreadable;
  for (fs::path folder = file.parent_path(); folder != folder.root_path(); folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", unreadable)) return folder;
  }
  return {};
}

}  // namespace stepgate
