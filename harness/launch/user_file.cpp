#include "launch/user_file.h"

#include <algorithm>
#include <array>

namespace stepgate {
namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

bool is_user_file(std::string_view file) {
  constexpr std::array<std::string_view, 10> others = {
      "/torch/include/", "/include/torch/", "/include/ATen/",     "/include/c10/",    "/include/c++/",
      "/_deps/",         "/include/fmt/",   "/include/pybind11/", "/include/caffe2/", "/include/stepgate/"};
  // Projects do lie below /usr/src and /usr/local/src.
  constexpr std::array<std::string_view, 4> of_system = {"/usr/include/", "/usr/lib", "/usr/local/include/",
                                                         "/usr/local/lib"};
  const bool system = std::any_of(of_system.begin(), of_system.end(),
                                  [&](std::string_view folder) { return file.starts_with(folder); });
  return !file.empty() && !system &&
         std::none_of(others.begin(), others.end(), [&](std::string_view other) { return contains(file, other); });
}

}  // namespace stepgate
