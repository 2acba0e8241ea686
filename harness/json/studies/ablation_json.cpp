#include "json/studies/ablation_json.h"

#include "json/records/knob_value.h"
#include "json/text/canonical_text.h"
#include "json/text/reader.h"

namespace stepgate {
namespace {

constexpr DocumentType ablation_document{
    "stepgate.ablation", "an ablation", 1, 0, ErrorKind::measure, "measure again: stepgate ablate CASE"};

void add(Json& value, const char* key, const std::optional<double>& number) {
  if (number) value[key] = *number;
}

void add(Json& value, const char* key, const std::optional<Interval>& interval) {
  if (interval) value[key] = Json::array({interval->lower, interval->upper});
}

Json value_of(const AblationSide& side) {
  Json value = {{"step_time_ns", side.step_time_ns}};
  add(value, "within_spread", side.within_spread);
  return value;
}

Json value_of(const AblationPair& pair) {
  return {{"with", value_of(pair.with)}, {"without", value_of(pair.without)}, {"with_first", pair.with_first}};
}

Json value_of(const KnobEffect& effect) {
  Json value = {{"recommendation", name_of(effect.recommendation)}, {"reason", effect.reason}};
  add(value, "spread_with", effect.spread_with);
  add(value, "spread_without", effect.spread_without);
  add(value, "ratio", effect.ratio);
  add(value, "ratio_interval", effect.ratio_interval);
  add(value, "shift", effect.shift);
  add(value, "shift_interval", effect.shift_interval);
  add(value, "within_with", effect.within_with);
  add(value, "within_without", effect.within_without);
  if (effect.pairs_to_decide) value["pairs_to_decide"] = *effect.pairs_to_decide;
  return value;
}

Json value_of(const AblatedKnob& knob) {
  Json value = {{"knob", stepgate::value_of(knob.knob)},
                {"effect", value_of(knob.effect)},
                {"tainted_pairs", knob.tainted_pairs}};
  if (!knob.failure.empty()) value["failure"] = knob.failure;
  Json& pairs = value["pairs"] = Json::array();
  for (const AblationPair& pair : knob.pairs) pairs.push_back(value_of(pair));
  return value;
}

std::optional<double> number_in(Reader& reader, std::string_view key) {
  const auto found = reader.find(key);
  return found ? std::optional(found->number()) : std::nullopt;
}

std::optional<Interval> interval_in(Reader& reader, std::string_view key) {
  const auto found = reader.find(key);
  if (!found) return std::nullopt;
  const std::vector<double> bounds = found->numbers();
  if (bounds.size() != 2) found->expected("a lower and an upper bound");
  return Interval{bounds[0], bounds[1]};
}

AblationSide side_at(Reader reader) {
  return {.step_time_ns = reader.at("step_time_ns").number(), .within_spread = number_in(reader, "within_spread")};
}

AblationPair pair_at(Reader reader) {
  return {.with = side_at(reader.at("with")),
          .without = side_at(reader.at("without")),
          .with_first = reader.at("with_first").boolean()};
}

KnobEffect effect_at(Reader reader) {
  KnobEffect effect;
  effect.recommendation =
      reader.at("recommendation").one_of(recommendation_named, "use, avoid, undecided, indifferent");
  effect.reason = reader.at("reason").text();
  effect.spread_with = number_in(reader, "spread_with");
  effect.spread_without = number_in(reader, "spread_without");
  effect.ratio = number_in(reader, "ratio");
  effect.ratio_interval = interval_in(reader, "ratio_interval");
  effect.shift = number_in(reader, "shift");
  effect.shift_interval = interval_in(reader, "shift_interval");
  effect.within_with = number_in(reader, "within_with");
  effect.within_without = number_in(reader, "within_without");
  if (auto pairs = reader.find("pairs_to_decide")) effect.pairs_to_decide = pairs->integer();
  return effect;
}

AblatedKnob ablated_knob_at(Reader reader) {
  AblatedKnob knob;
  knob.knob = knob_at(reader.at("knob"));
  knob.effect = effect_at(reader.at("effect"));
  knob.tainted_pairs = reader.at("tainted_pairs").integer();
  if (auto failure = reader.find("failure")) knob.failure = failure->text();
  knob.pairs = reader.at("pairs").list_of(pair_at);
  return knob;
}

}  // namespace

std::string to_text(const Ablation& ablation) {
  Json document = document_of(ablation_document);
  document["case"] = ablation.case_name;
  document["runner_class"] = ablation.runner_class;
  document["utc"] = ablation.utc;
  document["commit"] = ablation.commit;
  document["seed"] = ablation.seed;
  document["pairs"] = ablation.pairs;
  document["level"] = ablation.level;
  document["interrupted"] = ablation.interrupted;
  document["seconds"] = ablation.seconds;
  document["host"] = ablation.host;
  document["recommended"] = ablation.recommended;
  Json& knobs = document["knobs"] = Json::array();
  for (const AblatedKnob& knob : ablation.knobs) knobs.push_back(value_of(knob));
  return canonical_text(document, {"ablation.json", ablation_document});
}

Ablation ablation_from_text(std::string_view text, const std::string& source) {
  const Origin origin{source, ablation_document};
  const DocumentTree document = read_document(text, origin);
  Reader reader(document, origin);
  reader.check_schema();
  Ablation ablation;
  ablation.case_name = reader.at("case").text();
  ablation.runner_class = reader.at("runner_class").text();
  ablation.utc = reader.at("utc").text();
  ablation.commit = reader.at("commit").text();
  ablation.seed = reader.at("seed").unsigned_integer();
  ablation.pairs = reader.at("pairs").integer();
  ablation.level = reader.at("level").number();
  ablation.interrupted = reader.at("interrupted").boolean();
  ablation.seconds = reader.at("seconds").number();
  ablation.host = reader.at("host").text_map();
  ablation.recommended = reader.at("recommended").text();
  ablation.knobs = reader.at("knobs").list_of(ablated_knob_at);
  return ablation;
}

}  // namespace stepgate
