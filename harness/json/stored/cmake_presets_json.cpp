#include "json/stored/cmake_presets_json.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/error.h"
#include "json/text/document_tree.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

constexpr int most_ancestors = 32;  // a circle of `inherits` ends here

std::string text_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// Configure presets by name, and the names in the order of the files.
struct Presets {
  std::map<std::string, Json> by_name;
  std::vector<std::string> names;
};

Json parsed_or_empty(const std::string& text) {
  try {
    return parse_document(text, Origin{"CMakePresets.json", manifest_document});
  } catch (const Error&) {
    return Json::object();
  }
}

Presets presets_of(const std::vector<std::string>& documents) {
  Presets presets;
  for (const std::string& text : documents) {
    const Json document = parsed_or_empty(text);
    if (!document.is_object()) continue;
    const auto list = document.find("configurePresets");
    if (list == document.end() || !list->is_array()) continue;
    for (const Json& preset : *list) {
      const std::string name = preset.is_object() ? text_in(preset, "name") : "";
      if (!name.empty() && presets.by_name.emplace(name, preset).second) presets.names.push_back(name);
    }
  }
  return presets;
}

std::vector<std::string> parents_of(const Json& preset) {
  const auto found = preset.find("inherits");
  if (found == preset.end()) return {};
  if (found->is_string()) return {found->get<std::string>()};
  std::vector<std::string> names;
  if (!found->is_array()) return names;
  for (const Json& one : *found) {
    if (one.is_string()) names.push_back(one.get<std::string>());
  }
  return names;
}

/// The binaryDir of the preset itself, else that of the first parent that has one; "" if none has.
std::string binary_text(const Presets& presets, const std::string& name, int ancestors = 0) {
  const auto found = presets.by_name.find(name);
  if (found == presets.by_name.end() || ancestors > most_ancestors) return "";
  std::string text = text_in(found->second, "binaryDir");
  for (const std::string& parent : parents_of(found->second)) {
    if (text.empty()) text = binary_text(presets, parent, ancestors + 1);
  }
  return text;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// Absent where a macro is left that only CMake knows.
std::optional<fs::path> expanded(std::string text, const std::string& preset, const fs::path& source) {
  replace_all(text, "${sourceDir}", source.string());
  replace_all(text, "${sourceParentDir}", source.parent_path().string());
  replace_all(text, "${sourceDirName}", source.filename().string());
  replace_all(text, "${presetName}", preset);
  if (text.empty() || text.find('$') != std::string::npos) return std::nullopt;
  fs::path folder = (source / text).lexically_normal();
  return folder.has_filename() ? folder : folder.parent_path();
}

}  // namespace

std::vector<fs::path> preset_binary_folders(const std::vector<std::string>& documents, const fs::path& source) {
  const Presets presets = presets_of(documents);
  std::vector<fs::path> folders;
  for (const std::string& name : presets.names) {
    const auto folder = expanded(binary_text(presets, name), name, source);
    if (folder && std::find(folders.begin(), folders.end(), *folder) == folders.end()) folders.push_back(*folder);
  }
  return folders;
}

}  // namespace stepgate
