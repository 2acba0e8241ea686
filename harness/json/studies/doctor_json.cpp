#include "json/studies/doctor_json.h"

#include "json/records/knob_value.h"
#include "json/text/canonical_text.h"
#include "json/text/reader.h"

namespace stepgate {
namespace {

constexpr DocumentType doctor_document{
    "stepgate.doctor", "a doctor's report", 1, 0, ErrorKind::measure, "ask again: stepgate doctor --json"};

constexpr std::string_view place_names =
    "container, virtual machine, laptop, bare-metal host with GPU, bare-metal host";

FoundHostKind place_at(Reader reader) {
  return {.kind = reader.at("kind").one_of(host_kind_named, place_names),
          .reasons = reader.at("reasons").texts(),
          .warnings = reader.at("warnings").texts()};
}

EffectiveSetting setting_at(Reader reader) {
  return {.name = reader.at("name").text(), .value = reader.at("value").text(), .source = reader.at("source").text()};
}

void read_cpus(Reader reader, DoctorReport& report) {
  report.measured_cpus = reader.at("measured").text();
  report.siblings = reader.at("siblings").text();
  report.housekeeping = reader.at("housekeeping").text();
  report.cpu_reason = reader.at("reason").text();
}

}  // namespace

std::string to_text(const DoctorReport& report) {
  Json document = document_of(doctor_document);
  document["place"] = {
      {"kind", name_of(report.place.kind)}, {"reasons", report.place.reasons}, {"warnings", report.place.warnings}};
  document["host"] = report.host;
  document["cpus"] = {{"measured", report.measured_cpus},
                      {"siblings", report.siblings},
                      {"housekeeping", report.housekeeping},
                      {"reason", report.cpu_reason}};
  document["knobs"] = value_of(report.knobs);
  Json& settings = document["settings"] = Json::array();
  for (const EffectiveSetting& setting : report.settings) {
    settings.push_back({{"name", setting.name}, {"value", setting.value}, {"source", setting.source}});
  }
  document["watched"] = report.watched;
  document["unwatched"] = report.unwatched;
  document["warnings"] = report.warnings;
  document["stale_journal"] = report.stale_journal;
  return canonical_text(document, {"doctor.json", doctor_document});
}

DoctorReport doctor_from_text(std::string_view text, const std::string& source) {
  const Origin origin{source, doctor_document};
  const DocumentTree document = read_document(text, origin);
  Reader reader(document, origin);
  reader.check_schema();
  DoctorReport report;
  report.place = place_at(reader.at("place"));
  report.host = reader.at("host").text_map();
  read_cpus(reader.at("cpus"), report);
  report.knobs = reader.at("knobs").list_of(knob_at);
  report.settings = reader.at("settings").list_of(setting_at);
  report.watched = reader.at("watched").texts();
  report.unwatched = reader.at("unwatched").text_map();
  report.warnings = reader.at("warnings").texts();
  report.stale_journal = reader.at("stale_journal").boolean();
  return report;
}

}  // namespace stepgate
