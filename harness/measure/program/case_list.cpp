#include "measure/program/case_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "core/device.h"
#include "core/error.h"
#include "measure/step/step_counts_text.h"
#include "system/nearest_name.h"

namespace stepgate {
namespace {

bool is_case_name(std::string_view name) {
  const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '/'; };
  const bool empty_part =
      name.empty() || name.front() == '/' || name.back() == '/' || name.find("//") != std::string_view::npos;
  return !empty_part && std::all_of(name.begin(), name.end(), allowed) &&
         std::count(name.begin(), name.end(), '/') == 2;
}

[[noreturn]] void refuse(const Case& test_case, const std::string& why, const std::string& remedy) {
  throw Error(ErrorKind::usage, fmt::format("case '{}' {}", test_case.name, why), remedy);
}

std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string object_text(const std::map<std::string, std::string>& values) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : values) parts.push_back(fmt::format("{}: {}", json_string(key), json_string(value)));
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

std::string steps_object(const StepCounts& steps) {
  std::vector<std::string> parts;
  for (const StepCountField& field : step_count_fields) {
    parts.push_back(fmt::format("\"{}\": {}", field.name, steps.*field.member));
  }
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

std::string case_object(const Case& test_case) {
  return fmt::format(
      R"(    {{"name": {}, "device": {}, "dtype": {}, "params": {}, "steps": {}, "version": {}, "ranks": {}}})",
      json_string(test_case.name), json_string(test_case.device), json_string(test_case.dtype),
      object_text(test_case.params), steps_object(test_case.steps), json_string(test_case.version), test_case.ranks);
}

}  // namespace

void require_well_formed(const std::vector<Case>& cases) {
  std::set<std::string> names;
  for (const Case& test_case : cases) {
    if (!is_case_name(test_case.name)) {
      refuse(test_case, "is not a case name", "name it <suite>/<workload>/<variant>, each of a-z, 0-9 and _");
    }
    if (!names.insert(test_case.name).second) refuse(test_case, "is listed twice", "give each case its own name");
    if (!test_case.make && !test_case.loop) refuse(test_case, "has no factory", "set Case::make or Case::loop");
    if (test_case.make && test_case.loop) refuse(test_case, "has a factory and a loop", "set one of the two");
    if (!device_named(test_case.device)) {
      refuse(test_case, "declares device '" + test_case.device + "'", "declare cpu or cuda");
    }
    if (test_case.ranks < 1)
      refuse(test_case, fmt::format("declares {} ranks", test_case.ranks), "declare one or more");
    require_sensible(test_case.steps, test_case.name);
  }
}

const Case& case_named(const std::vector<Case>& cases, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Case& test_case : cases) {
    if (test_case.name == name) return test_case;
    names.push_back(test_case.name);
  }
  const auto near = nearest_name(name, names);
  throw Error(ErrorKind::usage, fmt::format("--stepgate_case={}: this program has no such case", name),
              near ? fmt::format("did you mean {}? --list names all", *near) : "--list names all cases");
}

std::string list_text(const std::vector<Case>& cases) {
  std::string text;
  for (const Case& test_case : cases) text += test_case.name + "\n";
  return text;
}

std::string list_json(const std::vector<Case>& cases) {
  std::vector<std::string> objects;
  for (const Case& test_case : cases) objects.push_back(case_object(test_case));
  return fmt::format(
      "{{\n  \"schema\": {{\"name\": \"stepgate.cases\", \"major\": 1, \"minor\": 0}},\n  \"cases\": [\n{}\n  ]\n}}\n",
      fmt::join(objects, ",\n"));
}

}  // namespace stepgate
