#include "json/stored/manifest_json.h"

#include <fmt/format.h>

#include <set>

#include "core/text/case_name.h"
#include "core/text/excerpt.h"
#include "json/text/reader.h"

namespace stepgate {
namespace {

/// The manifest's absolute folder; relative paths start there.
class Folder {
 public:
  explicit Folder(const std::filesystem::path& manifest) : path_(std::filesystem::absolute(manifest).parent_path()) {}
  std::filesystem::path path_at(const Reader& reader) const {
    return (path_ / filled_text_at(reader)).lexically_normal();  // an absolute right side replaces the left one
  }

 private:
  std::filesystem::path path_;
};

Device device_at(const Reader& reader) {
  const std::optional<Device> device = device_named(reader.text());
  if (!device) reader.expected("\"cpu\" or \"cuda\"");
  return *device;
}

std::string suite_at(const Reader& reader) {
  const std::string suite = reader.text();
  if (!is_name_part(suite)) reader.expected("a name like \"language\", of a-z, 0-9 and _");
  return suite;
}

/// Manifests up to 1.1 do not say it: one for a case of cuda.
std::int64_t gpus_at(Reader& reader, Device device) {
  const auto given = reader.find("gpus");
  if (!given) return device == Device::cuda ? 1 : 0;
  const std::int64_t gpus = given->integer();
  if (device == Device::cuda ? gpus < 1 : gpus != 0) given->expected("1 or more on cuda, 0 on cpu");
  return gpus;
}

/// Manifests up to 1.3 do not say it: both.
bool gates_times_at(Reader& reader) {
  const auto tiers = reader.find("tiers");
  if (!tiers) return true;
  const std::string text = tiers->text();
  if (text != "exact" && text != "both") tiers->expected("\"exact\" or \"both\"");
  return text == "both";
}

ManifestCase case_at(Reader reader, const Folder& folder) {
  ManifestCase result;
  result.name = case_name_at(reader.at("name"));
  result.suite = suite_at(reader.at("suite"));
  result.program = folder.path_at(reader.at("program"));
  result.device = device_at(reader.at("device"));
  if (auto timeout = reader.find("timeout_s")) {
    result.timeout_s = timeout->number();
    if (result.timeout_s <= 0) timeout->expected("seconds above 0");
  }
  if (auto cpus = reader.find("cpus")) {
    result.cpus = cpus->integer();
    if (result.cpus < 0) cpus->expected("a number of CPUs, 0 for as many as threads");
  }
  result.gpus = gpus_at(reader, result.device);
  if (auto benchmark = reader.find("benchmark")) result.benchmark = filled_text_at(*benchmark);
  result.gates_times = gates_times_at(reader);
  if (!result.gates_times && !result.benchmark.empty())
    reader.fail("a plain Google Benchmark program has times only, and \"tiers\" is \"exact\"");
  if (auto data = reader.find("data_root")) result.data_root = folder.path_at(*data);
  reader.reject_other_keys();
  return result;
}

void reject_repeated_cases(const Reader& cases, const std::vector<ManifestCase>& list) {
  std::set<std::string> names;
  for (const ManifestCase& one : list) {
    if (!names.insert(one.name).second) cases.fail(fmt::format("duplicate case \"{}\"", excerpt(one.name)));
  }
}

}  // namespace

Manifest manifest_from_text(std::string_view text, const std::filesystem::path& path) {
  const Origin origin{path.string(), manifest_document};
  const DocumentTree document = read_document(text, origin);
  const Folder folder(path);
  Reader reader(document, origin);
  reader.check_schema();
  Manifest manifest;
  manifest.path = path;
  manifest.build_type = reader.at("build_type").text();
  manifest.policy_root = folder.path_at(reader.at("policy_root"));
  manifest.baseline_root = folder.path_at(reader.at("baseline_root"));
  if (auto source = reader.find("source_root")) manifest.source_root = folder.path_at(*source);
  const Reader cases = reader.at("cases");
  manifest.cases = cases.list_of([&](const Reader& one) { return case_at(one, folder); });
  reject_repeated_cases(cases, manifest.cases);
  reader.reject_other_keys();
  return manifest;
}

}  // namespace stepgate
