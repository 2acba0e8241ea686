#include "json/exports/sarif_json.h"

#include <algorithm>
#include <set>

#include "core/judged/emulated_result.h"
#include "json/text/canonical_text.h"

namespace stepgate {
namespace {

/// A relative path that stays inside the repository. A viewer would resolve any other against the disk.
bool is_inside_repository(const std::string& file) {
  return !file.empty() && file.front() != '/' && file.find("..") == std::string::npos &&
         file.find(':') == std::string::npos && file.find('\\') == std::string::npos;
}

/// Bytes outside the unreserved characters and '/' as %XX (RFC 3986, section 2).
std::string uri_of(const std::string& file) {
  constexpr const char* digits = "0123456789ABCDEF";
  std::string uri;
  for (const char letter : file) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
                       std::string_view("/-._~").find(letter) != std::string_view::npos;
    if (plain) {
      uri += letter;
    } else {
      uri += {'%', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return uri;
}

const SourceFrame* first_line(const Finding& finding) {
  const auto found = std::ranges::find_if(
      finding.sources, [](const SourceFrame& frame) { return frame.line >= 1 && is_inside_repository(frame.file); });
  return found == finding.sources.end() ? nullptr : &*found;
}

const char* level_of(const Finding& finding, Status status) {
  if (finding.severity == Severity::note) return "note";
  return status == Status::regressed && finding.severity == Severity::cause ? "error" : "warning";
}

std::string rule_of(const Finding& finding) { return "stepgate/" + std::string(name_of(finding.code)); }

Json result_of(const std::string& name, Status status, const Finding& finding, const SourceFrame& line) {
  const Json location = {
      {"physicalLocation",
       {{"artifactLocation", {{"uri", uri_of(line.file)}}}, {"region", {{"startLine", line.line}}}}}};
  return {{"ruleId", rule_of(finding)},
          {"level", level_of(finding, status)},
          {"message", {{"text", name + ": " + finding.message}}},
          {"locations", Json::array({location})},
          {"partialFingerprints",
           {{"stepgateCase/v1", name + "|" + finding.metric + "|" + std::string(name_of(finding.code))}}}};
}

}  // namespace

std::string sarif_text(const RunReport& report) {
  Json results = Json::array();
  std::set<std::string> rule_names;
  for (const Outcome& outcome : report.outcomes) {
    for (const Finding& finding : outcome.findings) {
      const SourceFrame* line = first_line(finding);
      if (line == nullptr) continue;
      rule_names.insert(rule_of(finding));
      results.push_back(result_of(exported_case_name(report, outcome), outcome.verdict.status, finding, *line));
    }
  }
  Json rules = Json::array();
  for (const std::string& name : rule_names) rules.push_back({{"id", name}});
  Json driver = {{"name", "stepgate"}, {"rules", std::move(rules)}};
  if (!report.stepgate_version.empty()) driver["version"] = report.stepgate_version;
  Json run = {{"tool", {{"driver", std::move(driver)}}},
              {"automationDetails", {{"id", "stepgate/" + report.runner_class + "/"}}},
              {"results", std::move(results)}};
  if (const std::string gpu = emulated_gpu_of(report); !gpu.empty()) run["properties"] = {{"gpu", gpu}};
  const Json document = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                         {"version", "2.1.0"},
                         {"runs", Json::array({std::move(run)})}};
  return canonical_text(document, {"export as sarif", verdict_document});
}

}  // namespace stepgate
