#include "json/studies/sweep_json.h"

#include <fmt/format.h>

#include "json/text/canonical_text.h"
#include "json/text/reader.h"

namespace stepgate {
namespace {

constexpr DocumentType sweep_document{
    "stepgate.sweep", "a sweep", 1, 1, ErrorKind::measure, "sweep again: stepgate sweep CASE --vary ..."};

Json value_of(const Interval& interval) { return Json::array({interval.lower, interval.upper}); }

Json value_of(const SweepSetting& setting) {
  Json value = {{"values", setting.values}};
  Json& rounds = value["by_round"] = Json::array();
  for (const auto& [round, number] : setting.by_round) rounds.push_back(Json::array({round, number}));
  value["beside"] = setting.beside;
  value["tainted"] = setting.tainted;
  if (!setting.failure.empty()) value["failure"] = setting.failure;
  if (!setting.output_tail.empty()) value["output_tail"] = setting.output_tail;
  return value;
}

Json value_of(const SettingRank& rank) {
  Json value = {{"setting", rank.setting}, {"standing", name_of(rank.standing)}};
  if (rank.median) value["median"] = *rank.median;
  if (rank.interval) value["interval"] = value_of(*rank.interval);
  if (rank.behind) value["behind"] = *rank.behind;
  if (rank.behind_interval) value["behind_interval"] = value_of(*rank.behind_interval);
  return value;
}

Json value_of(const Knee& knee) {
  Json value = {{"parameter", knee.parameter},
                {"value", knee.value},
                {"more", name_of(knee.more)},
                {"other", knee.other},
                {"gain", knee.gain}};
  if (knee.interval) value["interval"] = value_of(*knee.interval);
  return value;
}

template <typename Row>
Json list_of(const std::vector<Row>& rows) {
  Json list = Json::array();
  for (const Row& row : rows) list.push_back(value_of(row));
  return list;
}

Interval interval_at(const Reader& reader) {
  const std::vector<double> bounds = reader.numbers();
  if (bounds.size() != 2) reader.expected("a lower and an upper bound");
  return {bounds[0], bounds[1]};
}

void read_by_round(const Reader& reader, SweepSetting& setting) {
  for (const auto& pair : reader.list_of(&Reader::numbers)) {
    if (pair.size() != 2) reader.expected("pairs of a round and a value");
    setting.by_round[static_cast<std::int64_t>(pair[0])] = pair[1];
  }
}

SweepSetting setting_at(Reader reader, std::size_t parameters) {
  SweepSetting setting;
  const Reader values = reader.at("values");
  setting.values = values.texts();
  if (setting.values.size() != parameters) values.expected(fmt::format("{} values, one per parameter", parameters));
  read_by_round(reader.at("by_round"), setting);
  setting.beside = reader.at("beside").map_of(&Reader::number);
  setting.tainted = reader.at("tainted").integer();
  if (auto failure = reader.find("failure")) setting.failure = failure->text();
  if (auto tail = reader.find("output_tail")) setting.output_tail = tail->text();
  return setting;
}

/// An index of a setting; the check prevents a later read beyond the end.
std::size_t index_at(const Reader& reader, std::size_t settings) {
  const std::uint64_t index = reader.unsigned_integer();
  if (index >= settings) reader.expected(fmt::format("a setting below {}", settings));
  return index;
}

SettingRank rank_at(Reader reader, std::size_t settings) {
  SettingRank rank;
  rank.setting = index_at(reader.at("setting"), settings);
  rank.standing = reader.at("standing").one_of(standing_named, "best, within-noise, behind, unknown, not-ranked");
  if (auto median = reader.find("median")) rank.median = median->number();
  if (auto interval = reader.find("interval")) rank.interval = interval_at(*interval);
  if (auto behind = reader.find("behind")) rank.behind = behind->number();
  if (auto interval = reader.find("behind_interval")) rank.behind_interval = interval_at(*interval);
  return rank;
}

Knee knee_at(Reader reader) {
  Knee knee;
  knee.parameter = reader.at("parameter").text();
  knee.value = reader.at("value").text();
  knee.more = reader.at("more").one_of(more_named, "does-not-help, not-seen-to-help, may-help");
  knee.other = reader.at("other").text();
  knee.gain = reader.at("gain").number();
  if (auto interval = reader.find("interval")) knee.interval = interval_at(*interval);
  return knee;
}

SweptParameter parameter_at(Reader reader) {
  return {.name = reader.at("name").text(), .values = reader.at("values").texts()};
}

void read_facts(Reader& reader, Sweep& sweep) {
  sweep.case_name = reader.at("case").text();
  sweep.runner_class = reader.at("runner_class").text();
  sweep.utc = reader.at("utc").text();
  sweep.commit = reader.at("commit").text();
  sweep.metric = reader.at("metric").text();
  sweep.seed = reader.at("seed").unsigned_integer();
  sweep.rounds = reader.at("rounds").integer();
  Reader cpus = reader.at("cpus");
  sweep.cpus = cpus.at("asked").integer();
  sweep.cpus_had = cpus.at("had").integer();
  sweep.interrupted = reader.at("interrupted").boolean();
  sweep.seconds = reader.at("seconds").number();
}

}  // namespace

std::string to_text(const Sweep& sweep) {
  Json document = document_of(sweep_document);
  document["case"] = sweep.case_name;
  document["runner_class"] = sweep.runner_class;
  document["utc"] = sweep.utc;
  document["commit"] = sweep.commit;
  document["metric"] = sweep.metric;
  document["seed"] = sweep.seed;
  document["rounds"] = sweep.rounds;
  document["cpus"] = {{"asked", sweep.cpus}, {"had", sweep.cpus_had}};
  document["interrupted"] = sweep.interrupted;
  document["seconds"] = sweep.seconds;
  Json& parameters = document["parameters"] = Json::array();
  for (const SweptParameter& parameter : sweep.parameters) {
    parameters.push_back({{"name", parameter.name}, {"values", parameter.values}});
  }
  document["orders"] = sweep.orders;
  if (!sweep.places.empty()) document["places"] = sweep.places;
  document["settings"] = list_of(sweep.settings);
  document["ranks"] = list_of(sweep.ranking.ranks);
  document["knees"] = list_of(sweep.ranking.knees);
  return canonical_text(document, {"sweep.json", sweep_document});
}

Sweep sweep_from_text(std::string_view text, const std::string& source) {
  const Origin origin{source, sweep_document};
  const DocumentTree document = read_document(text, origin);
  Reader reader(document, origin);
  reader.check_schema();
  Sweep sweep;
  read_facts(reader, sweep);
  sweep.parameters = reader.at("parameters").list_of(parameter_at);
  const std::size_t parameters = sweep.parameters.size();
  sweep.settings = reader.at("settings").list_of([&](const Reader& one) { return setting_at(one, parameters); });
  const std::size_t settings = sweep.settings.size();
  sweep.orders = reader.at("orders").list_of(
      [&](const Reader& round) { return round.list_of([&](const Reader& one) { return index_at(one, settings); }); });
  if (const auto places = reader.find("places")) sweep.places = places->texts();
  sweep.ranking.ranks = reader.at("ranks").list_of([&](const Reader& one) { return rank_at(one, settings); });
  sweep.ranking.knees = reader.at("knees").list_of(knee_at);
  return sweep;
}

}  // namespace stepgate
