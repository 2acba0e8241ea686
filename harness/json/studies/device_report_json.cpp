#include "json/studies/device_report_json.h"

#include "json/text/canonical_text.h"

namespace stepgate {
namespace {

constexpr DocumentType device_report_document{"stepgate.device_report",
                                              "a report on a GPU",
                                              1,
                                              0,
                                              ErrorKind::measure,
                                              "ask again: stepgate doctor --device --json"};

Json json_of(const DeviceLine& line) {
  return {{"name", line.name},           {"question", line.question},
          {"essential", line.essential}, {"verdict", name_of(line.verdict)},
          {"figure", line.figure},       {"meaning", line.meaning},
          {"remedy", line.remedy}};
}

Json json_of(const DeviceCheckRun& run) {
  return {{"end", name_of(run.end)},
          {"reason", run.reason},
          {"values", run.figures.values},
          {"texts", run.figures.texts},
          {"absent", run.figures.absent}};
}

}  // namespace

std::string to_text(const DeviceReport& report) {
  Json document = document_of(device_report_document);
  document["gpu"] = report.gpu;
  document["missing"] = report.missing;
  Json& lines = document["lines"] = Json::array();
  for (const DeviceLine& line : report.lines) lines.push_back(json_of(line));
  Json& runs = document["runs"] = Json::object();
  for (const auto& [name, run] : report.runs) runs[name] = json_of(run);
  return canonical_text(document, {"device_report.json", device_report_document});
}

}  // namespace stepgate
