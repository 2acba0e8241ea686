#include "core/emulated_gpu_name.h"

namespace stepgate {
namespace {

constexpr std::string_view emulated_word = "emulated ";
constexpr std::string_view with_values = " with values";
constexpr std::string_view values_fact = ", values";

char upper(char letter) { return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter; }

}  // namespace

std::string emulated_gpu_of_class(std::string_view runner_class) {
  if (!runner_class.starts_with(emulated_class_prefix)) return "";
  std::string_view model = runner_class.substr(emulated_class_prefix.size());
  const bool values = model.ends_with(values_class_suffix);
  if (values) model.remove_suffix(values_class_suffix.size());
  std::string name(emulated_word);
  for (const char letter : model) name += upper(letter);
  return values ? name.append(with_values) : name;
}

std::string emulated_gpu_of_facts(const std::map<std::string, std::string>& facts) {
  const auto gpu = facts.find("gpu");
  if (gpu == facts.end() || !gpu->second.starts_with(emulated_word)) return "";
  std::string name = gpu->second.substr(0, gpu->second.find(','));
  return gpu->second.ends_with(values_fact) ? name.append(with_values) : name;
}

}  // namespace stepgate
