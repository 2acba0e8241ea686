#include "report/gate/repository_path.h"

#include <algorithm>
#include <filesystem>

namespace stepgate {

bool is_repository_path(std::string_view path) {
  const std::filesystem::path place(path);
  return !path.empty() && place.is_relative() && std::find(place.begin(), place.end(), "..") == place.end();
}

}  // namespace stepgate
