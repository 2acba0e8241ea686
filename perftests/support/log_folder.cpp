#include "support/log_folder.h"

#include <stdlib.h>

#include <stdexcept>
#include <system_error>

namespace stepgate {

LogFolder::LogFolder(const std::string& asked) : own_(asked == "on") {
  if (!own_) {
    if (asked != "off") path_ = asked;
    return;
  }
  std::string pattern = (std::filesystem::temp_directory_path() / "char-lm-log-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make the folder " + pattern);
  path_ = pattern;
}

LogFolder::~LogFolder() {
  std::error_code ignored;
  if (own_) std::filesystem::remove_all(path_, ignored);
}

}  // namespace stepgate
