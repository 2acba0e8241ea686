#include "json/records/passes/request_times_value.h"

namespace stepgate {
namespace {

Json value_of(const TokenTimes& tokens) {
  return {{"first_ns", tokens.first_ns}, {"next_ns", tokens.next_ns}, {"tokens", tokens.tokens}};
}

TokenTimes tokens_at(Reader reader) {
  return {.first_ns = reader.at("first_ns").integers(),
          .next_ns = reader.at("next_ns").integers(),
          .tokens = reader.at("tokens").count()};
}

Json value_of(const TrainingModule& module) { return {{"name", module.name}, {"kind", module.kind}}; }

TrainingModule training_module_at(Reader reader) {
  return {.name = reader.at("name").text(), .kind = reader.at("kind").text()};
}

/// The judge reads a time of each boundary for each request.
void require_one_each(const Reader& reader, const ClosedLoop& loop) {
  for (const auto& [boundary, times] : loop.boundary_ns) {
    if (times.size() != loop.latency_ns.size()) reader.fail("boundary_ns has not one time for each request");
  }
  for (const std::int64_t index : loop.cold) {
    if (index >= std::ssize(loop.latency_ns)) reader.fail("cold names a request that is not in latency_ns");
  }
}

}  // namespace

Json value_of(const ClosedLoop& loop) {
  Json value = {{"clock", loop.clock},
                {"wall_ns", loop.wall_ns},
                {"latency_ns", loop.latency_ns},
                {"boundary_ns", loop.boundary_ns}};
  if (!loop.cold.empty()) value["cold"] = loop.cold;
  if (loop.samples > 0) value["samples"] = loop.samples;
  if (loop.tokens != TokenTimes()) value["tokens"] = value_of(loop.tokens);
  return value;
}

ClosedLoop closed_loop_at(Reader reader) {
  ClosedLoop loop{.clock = reader.at("clock").text(),
                  .wall_ns = reader.at("wall_ns").integer(),
                  .latency_ns = reader.at("latency_ns").integers(),
                  .boundary_ns = reader.at("boundary_ns").map_of(&Reader::integers)};
  if (auto cold = reader.find("cold")) loop.cold = cold->counts();
  if (auto samples = reader.find("samples")) loop.samples = samples->count();
  if (auto tokens = reader.find("tokens")) loop.tokens = tokens_at(*tokens);
  require_one_each(reader, loop);
  return loop;
}

Json value_of(const OpenLoop& loop) {
  Json value = {{"clock", loop.clock},
                {"rate_per_s", loop.rate_per_s},
                {"capacity_per_s", loop.capacity_per_s},
                {"arrival_seed", loop.arrival_seed},
                {"generator_cpu", loop.generator_cpu},
                {"generator_late_ns", loop.generator_late_ns},
                {"generator_late_total_ns", loop.generator_late_total_ns},
                {"arrival_ns", loop.arrival_ns},
                {"latency_ns", loop.latency_ns}};
  if (loop.tokens != TokenTimes()) value["tokens"] = value_of(loop.tokens);
  return value;
}

OpenLoop open_loop_at(Reader reader) {
  OpenLoop loop{.clock = reader.at("clock").text(),
                .rate_per_s = reader.at("rate_per_s").number(),
                .capacity_per_s = reader.at("capacity_per_s").number(),
                .arrival_seed = reader.at("arrival_seed").unsigned_integer(),
                .generator_cpu = reader.at("generator_cpu").count(),
                .generator_late_ns = reader.at("generator_late_ns").count(),
                .generator_late_total_ns = reader.at("generator_late_ns").count(),  // at least
                .arrival_ns = reader.at("arrival_ns").integers(),
                .latency_ns = reader.at("latency_ns").integers()};
  if (auto total = reader.find("generator_late_total_ns")) loop.generator_late_total_ns = total->count();
  if (auto tokens = reader.find("tokens")) loop.tokens = tokens_at(*tokens);
  for (const char* rate : {"rate_per_s", "capacity_per_s"}) {
    if (!(reader.at(rate).number() > 0)) reader.at(rate).expected("a rate above 0");
  }
  if (loop.arrival_ns.size() != loop.latency_ns.size()) reader.fail("arrival_ns and latency_ns differ in their number");
  return loop;
}

Json value_of(const InferenceFacts& facts) {
  Json value = {{"answers", facts.answers}, {"graph_answers", facts.graph_answers}};
  if (!facts.training_modules) return value;
  Json& modules = value["training_modules"] = Json::array();
  for (const TrainingModule& module : *facts.training_modules) modules.push_back(value_of(module));
  return value;
}

InferenceFacts inference_facts_at(Reader reader) {
  InferenceFacts facts{.answers = reader.at("answers").count(), .graph_answers = reader.at("graph_answers").count()};
  if (auto modules = reader.find("training_modules")) facts.training_modules = modules->list_of(training_module_at);
  return facts;
}

}  // namespace stepgate
