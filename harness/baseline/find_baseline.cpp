#include "baseline/find_baseline.h"

#include <fmt/format.h>

#include "core/error.h"
#include "json/stored/baseline_json.h"
#include "system/files/file.h"
#include "system/files/inner_path.h"

namespace stepgate {
namespace {

void require_same(const std::filesystem::path& file, std::string_view key, const std::string& expected,
                  const std::string& found) {
  if (expected == found) return;
  throw Error(ErrorKind::baseline,
              fmt::format("{}: {} is '{}', but its path says '{}'", file.string(), key, found, expected),
              "move the file to the right path, or delete it and record the baseline again");
}

/// Without a fact to match, a baseline would be compared with the measurement of any machine and any data.
void require_key(const std::filesystem::path& file, const Baseline& baseline) {
  if (!baseline.key.empty()) return;
  throw Error(ErrorKind::baseline,
              fmt::format("{}: key is empty: it names no fact of the machine and the data that it was measured with",
                          file.string()),
              "delete the file and record the baseline again");
}

}  // namespace

Baseline read_baseline(const std::filesystem::path& file) {
  Baseline baseline = baseline_from_text(read_text_file(file, ErrorKind::baseline), file.string());
  require_key(file, baseline);
  return baseline;
}

std::optional<Baseline> find_baseline(const std::filesystem::path& root, const BaselineName& name) {
  const std::filesystem::path file = baseline_path(root, name);
  refuse_links_below(root, file, ErrorKind::baseline);
  const auto text = read_text_file_if_present(file, ErrorKind::baseline);
  if (!text) return std::nullopt;
  Baseline baseline = baseline_from_text(*text, file.string());
  require_key(file, baseline);
  require_same(file, "case", name.case_name, baseline.case_name);
  const bool portable = name.scope == Scope::portable;
  require_same(file, "runner_class", portable ? std::string(portable_class) : name.runner_class, baseline.runner_class);
  require_same(file, "scope", std::string(name_of(name.scope)), std::string(name_of(baseline.scope)));
  return baseline;
}

}  // namespace stepgate
