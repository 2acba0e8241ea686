#include "json/records/passes/pass_losses_value.h"

#include "json/text/metric_keys.h"

namespace stepgate {
namespace {

LossBreak loss_break_at(Reader reader) {
  return {.step = reader.at("step").count(), .value = reader.at("value").number_or_non_finite()};
}

}  // namespace

Json value_of(const PassLosses& losses) {
  Json value = {{"steps", losses.steps}, {"seen", losses.seen}, {"last_seen", losses.last_seen}};
  for (const auto& [metric, found] : losses.breaks) {
    value["breaks"][metric] = {{"step", found.step}, {"value", write_non_finite(found.value)}};
  }
  if (losses.values.empty()) return value;
  Json& values = value["values"] = Json::array();
  for (const double loss : losses.values) values.push_back(write_non_finite(loss));
  return value;
}

PassLosses pass_losses_at(Reader reader) {
  PassLosses losses{.steps = reader.at("steps").count(),
                    .seen = reader.at("seen").count(),
                    .last_seen = reader.at("last_seen").count()};
  if (const auto breaks = reader.find("breaks")) {
    losses.breaks = breaks->map_of(loss_break_at);
    for (const auto& [metric, found] : losses.breaks) check_metric(*breaks, metric, Tier::numeric);
  }
  if (const auto values = reader.find("values")) losses.values = values->list_of(&Reader::number_or_non_finite);
  return losses;
}

}  // namespace stepgate
