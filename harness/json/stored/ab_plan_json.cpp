#include "json/stored/ab_plan_json.h"

#include "json/records/plan_value.h"
#include "json/text/canonical_text.h"
#include "json/text/reader.h"

namespace stepgate {
namespace {

constexpr DocumentType ab_plan_document{"stepgate.ab_plan",
                                        "the plan of an A/B run",
                                        1,
                                        1,
                                        ErrorKind::measure,
                                        "remove the folder and run stepgate ab again"};

}  // namespace

std::string to_text(const AbPlan& plan) {
  Json document = document_of(ab_plan_document);
  document["case_name"] = plan.case_name;
  document["utc"] = plan.utc;
  document["order_seed"] = plan.order_seed;
  document["most_pairs"] = plan.most_pairs;
  document["in_turns"] = plan.alternating_windows;
  document["control"] = plan.control;
  document["base"] = {{"commit", plan.base_commit}, {"digest", plan.base_digest}};
  document["head"] = {{"commit", plan.head_commit}, {"digest", plan.head_digest}};
  if (!plan.policy_digest.empty()) document["policy_digest"] = plan.policy_digest;
  if (!plan.machine.empty()) document["machine"] = plan.machine;
  document["seeds"] = plan.seeds;
  document["seed_steps"] = plan.seed_steps;
  document["plan"] = value_of(plan.plan);
  document["complete"] = plan.complete;
  return canonical_text(document, {"ab.json", ab_plan_document});
}

AbPlan ab_plan_from_text(std::string_view text, const std::string& source) {
  const Origin origin{source, ab_plan_document};
  const DocumentTree document = read_document(text, origin);
  Reader reader(document, origin);
  reader.check_schema();
  Reader base = reader.at("base");
  Reader head = reader.at("head");
  const auto seeds = reader.find("seeds");
  const auto seed_steps = reader.find("seed_steps");
  const auto policy_digest = reader.find("policy_digest");  // versions up to 1.0 did not store it
  const auto machine = reader.find("machine");
  return {.case_name = case_name_at(reader.at("case_name")),
          .utc = reader.at("utc").text(),
          .order_seed = reader.at("order_seed").unsigned_integer(),
          .most_pairs = reader.at("most_pairs").integer(),
          .alternating_windows = reader.at("in_turns").boolean(),
          .control = reader.at("control").boolean(),
          .base_digest = base.at("digest").text(),
          .head_digest = head.at("digest").text(),
          .base_commit = base.at("commit").text(),
          .head_commit = head.at("commit").text(),
          .policy_digest = policy_digest ? policy_digest->text() : "",
          .machine = machine ? machine->text() : "",
          .seeds = seeds ? seeds->integer() : 0,
          .seed_steps = seed_steps ? seed_steps->integer() : 0,
          .plan = plan_at(reader.at("plan")),
          .complete = reader.at("complete").boolean()};
}

}  // namespace stepgate
