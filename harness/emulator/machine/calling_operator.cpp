#include "emulator/machine/calling_operator.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>

#include <array>
#include <cstdlib>
#include <memory>

namespace stepgate::emulator {
namespace {

/// Enough for autograd around modules around an operator.
constexpr int most_frames = 256;

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return text == nullptr ? std::string(name) : std::string(text.get());
}

std::string name_at(void* place) {
  Dl_info found{};
  const bool is_named = ::dladdr(place, &found) != 0 && found.dli_sname != nullptr;
  return is_named ? demangled(found.dli_sname) : std::string();
}

}  // namespace

std::string operator_among(const std::vector<std::string>& functions) {
  constexpr std::string_view before = "at::_ops::";
  for (const std::string& function : functions) {
    const std::size_t at = function.find(before);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + before.size();
    const std::size_t end = function.find("::", begin);
    if (end == std::string::npos) continue;
    const std::string_view rest = std::string_view(function).substr(end + 2);
    if (rest.starts_with("call(") || rest.starts_with("redispatch(")) return function.substr(begin, end - begin);
  }
  return "";
}

std::string OperatorFinder::calling() {
  return calling([](std::string_view) { return true; });
}

std::string OperatorFinder::calling(const std::function<bool(std::string_view name)>& is_wanted) {
  std::array<void*, most_frames> frames{};
  const int depth = ::backtrace(frames.data(), most_frames);
  for (int frame = 0; frame < depth; ++frame) {
    void* const place = frames[static_cast<std::size_t>(frame)];
    const auto [known, is_new] = operators_.try_emplace(place);
    if (is_new) known->second = operator_among({name_at(place)});
    if (!known->second.empty() && is_wanted(known->second)) return known->second;
  }
  return "";
}

}  // namespace stepgate::emulator
