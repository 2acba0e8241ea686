#include "json/records/passes/numeric_trace_value.h"

#include "json/text/metric_keys.h"

namespace stepgate {
namespace {

Json array_of(const std::vector<double>& values, NonFinite non_finite) {
  Json array = Json::array();
  for (double value : values) array.push_back(non_finite == NonFinite::kept ? write_non_finite(value) : Json(value));
  return array;
}

}  // namespace

Json value_of(const NumericTrace& trace, NonFinite non_finite) {
  Json value = {{"loss", array_of(trace.loss, non_finite)},
                {"grad_norm", array_of(trace.grad_norm, non_finite)},
                {"loss_digest", trace.loss_digest},
                {"parameter_digest", trace.parameter_digest}};
  for (const auto& [name, values] : trace.further_losses) {
    value["further_losses"][name] = array_of(values, non_finite);
  }
  if (trace.rounded) value["rounded"] = true;
  if (!trace.loss_scale.empty()) value["loss_scale"] = array_of(trace.loss_scale, non_finite);
  if (!trace.nondeterministic_operators.empty()) value["nondeterministic_operators"] = trace.nondeterministic_operators;
  if (!trace.key.empty()) value["key"] = trace.key;
  return value;
}

NumericTrace numeric_trace_at(Reader reader, NonFinite non_finite) {
  const auto read = non_finite == NonFinite::kept ? &Reader::number_or_non_finite : &Reader::number;
  NumericTrace trace{.loss = reader.at("loss").list_of(read),
                     .grad_norm = reader.at("grad_norm").list_of(read),
                     .loss_digest = reader.at("loss_digest").text(),
                     .parameter_digest = reader.at("parameter_digest").text()};
  if (const auto losses = reader.find("further_losses")) {
    trace.further_losses = losses->map_of([&](const Reader& steps) { return steps.list_of(read); });
    for (const auto& [name, values] : trace.further_losses) {
      check_metric(*losses, member_of(further_loss_family, name), Tier::numeric);
    }
  }
  if (const auto scales = reader.find("loss_scale")) trace.loss_scale = scales->list_of(read);
  if (const auto rounded = reader.find("rounded")) trace.rounded = rounded->boolean();
  if (const auto operators = reader.find("nondeterministic_operators"))
    trace.nondeterministic_operators = operators->texts();
  if (non_finite == NonFinite::rejected) {  // of a baseline, which is strict about keys
    if (const auto key = reader.find("key")) trace.key = key->text_map();
    reader.reject_other_keys();
  }
  return trace;
}

}  // namespace stepgate
