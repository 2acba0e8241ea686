#include "support/cache_folder.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace stepgate {
namespace {

std::filesystem::path variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::filesystem::path cache_folder(std::string_view part) {
  if (const auto own = variable("STEPGATE_CACHE"); !own.empty()) return own / part;
  if (const auto cache = variable("XDG_CACHE_HOME"); !cache.empty()) return cache / "stepgate" / part;
  if (const auto home = variable("HOME"); !home.empty()) return home / ".cache" / "stepgate" / part;
  return std::filesystem::temp_directory_path() / ("stepgate-" + std::to_string(getuid())) / part;
}

}  // namespace stepgate
