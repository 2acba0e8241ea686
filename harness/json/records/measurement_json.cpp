#include "json/records/measurement_json.h"

#include <fmt/format.h>

#include "json/records/evidence_value.h"
#include "json/records/failure_value.h"
#include "json/records/knob_value.h"
#include "json/records/plan_value.h"
#include "json/records/run_record_value.h"
#include "json/records/stream_hazards_value.h"
#include "json/text/canonical_text.h"

namespace stepgate {
namespace {

Json value_of(const Replicate& replicate) {
  Json value = {{"group", name_of(replicate.group)},
                {"index", replicate.index},
                {"attempt", replicate.attempt},
                {"command", replicate.command},
                {"environment", replicate.environment},
                {"taint_reasons", replicate.taint_reasons},
                {"evidence", stepgate::value_of(replicate.evidence)}};
  if (!replicate.set_aside.empty()) value["set_aside"] = replicate.set_aside;
  if (!replicate.knobs.empty()) value["knobs"] = stepgate::value_of(replicate.knobs);
  if (replicate.failure) value["failure"] = stepgate::value_of(*replicate.failure);
  if (replicate.record) {
    Json record = Json::object();
    add_run_record(record, *replicate.record);
    value["record"] = std::move(record);
  }
  return value;
}

Replicate replicate_at(Reader reader) {
  Replicate replicate;
  replicate.group = group_at(reader.at("group"));
  replicate.index = reader.at("index").integer();
  replicate.attempt = reader.at("attempt").integer();
  replicate.command = reader.at("command").texts();
  replicate.environment = reader.at("environment").text_map();
  replicate.taint_reasons = reader.at("taint_reasons").texts();
  replicate.evidence = evidence_at(reader.at("evidence"));
  if (auto why = reader.find("set_aside")) replicate.set_aside = why->text();
  if (auto knobs = reader.find("knobs")) replicate.knobs = knobs->list_of(knob_at);
  if (auto failure = reader.find("failure")) replicate.failure = failure_at(*failure);
  if (auto record = reader.find("record")) replicate.record = run_record_at(*record);
  if (!replicate.record && !replicate.failure) reader.fail("a replicate needs \"record\" or \"failure\"");
  return replicate;
}

}  // namespace

std::string to_text(const Measurement& measurement) {
  Json document = document_of(measurement_document);
  document["case"] = measurement.case_name;
  document["runner_class"] = measurement.runner_class;
  document["utc"] = measurement.utc;
  document["unix_s"] = measurement.unix_s;
  document["commit"] = measurement.commit;
  document["program"] = measurement.program;
  if (!measurement.program_digest.empty()) document["program_digest"] = measurement.program_digest;
  document["plan"] = stepgate::value_of(measurement.plan);
  document["host"] = measurement.host;
  document["guard"] = {{"mode", name_of(measurement.guard)}, {"knobs", stepgate::value_of(measurement.knobs)}};
  if (measurement.hazards) document["hazards"] = stepgate::value_of(*measurement.hazards);
  Json& replicates = document["replicates"] = Json::array();
  for (const Replicate& replicate : measurement.replicates) replicates.push_back(value_of(replicate));
  return canonical_text(document, {fmt::format("measurement of {}", measurement.case_name), measurement_document});
}

Measurement measurement_from_text(std::string_view text, const std::string& source) {
  const Origin origin{source, measurement_document};
  const DocumentTree document = read_document(text, origin);
  Reader reader(document, origin);
  reader.check_schema();
  Measurement measurement{.case_name = case_name_or_none_at(reader.at("case")),
                          .runner_class = reader.at("runner_class").text(),
                          .utc = reader.at("utc").text(),
                          .unix_s = reader.at("unix_s").integer(),
                          .commit = reader.at("commit").text(),
                          .program = reader.at("program").text(),
                          .plan = plan_at(reader.at("plan")),
                          .host = reader.at("host").text_map(),
                          .replicates = reader.at("replicates").list_of(replicate_at)};
  if (auto digest = reader.find("program_digest")) measurement.program_digest = digest->text();
  if (auto guard = reader.find("guard")) {  // absent in documents of version 1.0
    measurement.guard = guard->at("mode").one_of(guard_mode_named, "observe, process, host");
    measurement.knobs = guard->at("knobs").list_of(knob_at);
  }
  if (auto hazards = reader.find("hazards")) measurement.hazards = stream_hazards_at(*hazards);
  return measurement;
}

}  // namespace stepgate
