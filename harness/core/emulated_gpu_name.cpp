#include "core/emulated_gpu_name.h"

namespace stepgate {
namespace {

constexpr std::string_view emulated_word = "emulated ";

char upper(char letter) { return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter; }

}  // namespace

std::string emulated_gpu_of_class(std::string_view runner_class) {
  if (!runner_class.starts_with(emulated_class_prefix)) return "";
  std::string name(emulated_word);
  for (const char letter : runner_class.substr(emulated_class_prefix.size())) name += upper(letter);
  return name;
}

std::string emulated_gpu_of_facts(const std::map<std::string, std::string>& facts) {
  const auto gpu = facts.find("gpu");
  if (gpu == facts.end() || !gpu->second.starts_with(emulated_word)) return "";
  return gpu->second.substr(0, gpu->second.find(','));
}

}  // namespace stepgate
