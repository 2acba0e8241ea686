#include "json/studies/sweep_json.h"

#include <limits>

#include "json/expect_error.h"
#include "json/records/case_list_json.h"
#include "support/sample_sweep.h"

namespace stepgate {
namespace {

TEST(SweepJson, KeepsEveryField) {
  Sweep before = sample_sweep();
  before.places = {"node1 CPU 0", "", "node2 CPU 1"};
  const Sweep after = sweep_from_text(to_text(before), "sweep.json");
  EXPECT_EQ(after.case_name, before.case_name);
  EXPECT_EQ(after.metric, before.metric);
  EXPECT_EQ(after.seed, before.seed);
  EXPECT_EQ(after.rounds, before.rounds);
  EXPECT_EQ(after.cpus, 6);
  EXPECT_EQ(after.cpus_had, 2);
  EXPECT_EQ(after.seconds, 83.5);
  EXPECT_EQ(after.parameters, before.parameters);
  EXPECT_EQ(after.orders, before.orders);
  EXPECT_EQ(after.places, before.places);
  ASSERT_EQ(after.settings.size(), 8u);
  EXPECT_EQ(after.settings[3].by_round, before.settings[3].by_round);
  EXPECT_EQ(after.settings[3].beside, before.settings[3].beside);
  EXPECT_EQ(after.settings[6].tainted, 1);
  EXPECT_EQ(after.settings[7].failure, before.settings[7].failure);
  EXPECT_EQ(after.settings[7].output_tail, before.settings[7].output_tail);
  EXPECT_EQ(to_text(after), to_text(before)) << "ranking included";
}

TEST(SweepJson, NamesWhatIsWrong) {
  const std::string text = to_text(sample_sweep());
  const auto read = [](const std::string& changed) { return [=] { sweep_from_text(changed, "s.json"); }; };
  expect_error(read(replaced(text, "\"best\"", "\"bets\"")), ErrorKind::measure, {"ranks[0].standing", "bets"});
  expect_error(read(replaced(text, "\"setting\": 7", "\"setting\": 8")), ErrorKind::measure,
               {"ranks[7].setting", "below 8"});
  expect_error(read(replaced(text, "[\"0\", \"4\"]", "[\"0\"]")), ErrorKind::measure,
               {"settings[0].values", "2 values"});
  expect_error(read(replaced(text, "stepgate.sweep", "stepgate.sweet")), ErrorKind::measure, {"schema.name"});
  Sweep infinite = sample_sweep();
  infinite.settings[0].by_round[0] = std::numeric_limits<double>::infinity();
  expect_error([&] { to_text(infinite); }, ErrorKind::measure, {"settings[0].by_round"});
}

TEST(CaseListJson, FindsWhatACaseDeclares) {
  const std::string text = R"({"schema": {"name": "stepgate.cases", "major": 1, "minor": 0},
    "cases": [{"name": "a/b/c", "params": {"batch_size": "4"}}, {"name": "a/b/d", "params": {}}]})";
  const auto found = declared_params(text, "cases.json", "a/b/c");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at("batch_size"), "4");
  EXPECT_EQ(found->size(), 1u);
  EXPECT_FALSE(declared_params(text, "cases.json", "a/b/e"));
  expect_error([] { declared_params("{}", "cases.json", "a/b/c"); }, ErrorKind::measure, {"cases.json", "schema"});
}

}  // namespace
}  // namespace stepgate
