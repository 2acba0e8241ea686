#include "json/records/knob_value.h"

namespace stepgate {

Json value_of(const KnobReport& report) {
  Json value = {{"name", report.name},     {"mode", name_of(report.mode)}, {"state", name_of(report.state)},
                {"before", report.before}, {"wanted", report.wanted},      {"after", report.after}};
  if (report.error != 0) value["errno"] = report.error;
  if (!report.reason.empty()) value["reason"] = report.reason;
  if (!report.remedy.empty()) value["remedy"] = report.remedy;
  return value;
}

Json value_of(const std::vector<KnobReport>& reports) {
  Json list = Json::array();
  for (const KnobReport& report : reports) list.push_back(value_of(report));
  return list;
}

KnobReport knob_at(Reader reader) {
  KnobReport report;
  report.name = reader.at("name").text();
  const auto mode = guard_mode_named(reader.at("mode").text());
  if (!mode) reader.at("mode").fail("must be one of observe, process, host");
  report.mode = *mode;
  const auto state = knob_state_named(reader.at("state").text());
  if (!state) reader.at("state").fail("unknown state of a knob");
  report.state = *state;
  report.before = reader.at("before").text();
  report.wanted = reader.at("wanted").text();
  report.after = reader.at("after").text();
  if (auto error = reader.find("errno")) report.error = static_cast<int>(error->integer());
  if (auto reason = reader.find("reason")) report.reason = reason->text();
  if (auto remedy = reader.find("remedy")) report.remedy = remedy->text();
  return report;
}

}  // namespace stepgate
