#include "system/files/fresh_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "core/error.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

void remove_stale_folders(const fs::path& parent, const std::string& prefix) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored)) {
    if (entry.path().filename().string().starts_with(prefix)) fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace

FreshFolder::FreshFolder(const fs::path& beside, std::string_view kind) {
  const fs::path name = fs::absolute(beside).string() + fmt::format(".{}-", kind);
  remove_stale_folders(name.parent_path(), name.filename().string());
  std::string pattern = name.string() + "XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw Error(ErrorKind::measure, fmt::format("cannot make the folder {}: {}", pattern, std::strerror(errno)),
                "give a record in a folder that can be written");
  }
  path_ = pattern;
}

FreshFolder::~FreshFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace stepgate
