#include "json/studies/ablation_json.h"

#include <limits>

#include "json/expect_error.h"
#include "support/sample_ablation.h"

namespace stepgate {
namespace {

TEST(AblationJson, KeepsEveryField) {
  const Ablation before = sample_ablation();
  const Ablation after = ablation_from_text(to_text(before), "ablation.json");
  EXPECT_EQ(after.case_name, before.case_name);
  EXPECT_EQ(after.runner_class, before.runner_class);
  EXPECT_EQ(after.host, before.host);
  EXPECT_EQ(after.pairs, 12);
  EXPECT_EQ(after.recommended, before.recommended);
  ASSERT_EQ(after.knobs.size(), 5u);
  const AblatedKnob& interrupts = after.knobs[2];
  EXPECT_EQ(interrupts.knob, before.knobs[2].knob);
  EXPECT_EQ(interrupts.tainted_pairs, 3);
  EXPECT_EQ(interrupts.failure, before.knobs[2].failure);
  EXPECT_EQ(interrupts.effect.pairs_to_decide, 43);
  ASSERT_EQ(interrupts.pairs.size(), 9u);
  EXPECT_EQ(interrupts.pairs[3].with.step_time_ns, before.knobs[2].pairs[3].with.step_time_ns);
  EXPECT_EQ(interrupts.pairs[3].without.within_spread, before.knobs[2].pairs[3].without.within_spread);
  EXPECT_TRUE(interrupts.pairs[3].with_first);
  EXPECT_FALSE(after.knobs[4].effect.ratio);
  EXPECT_EQ(to_text(after), to_text(before)) << "effects included";
}

TEST(AblationJson, NamesWhatIsWrong) {
  const std::string text = to_text(sample_ablation());
  const auto read = [](const std::string& changed) { return [=] { ablation_from_text(changed, "a.json"); }; };
  expect_error(read(replaced(text, "\"indifferent\"", "\"bored\"")), ErrorKind::measure,
               {"a.json", "knobs[0].effect.recommendation", "bored"});
  expect_error(read(replaced(text, "\"ratio_interval\": [0.72, 1.33]", "\"ratio_interval\": [0.72]")),
               ErrorKind::measure, {"knobs[0].effect.ratio_interval", "a lower and an upper bound"});
  expect_error(read(replaced(text, "\"with_first\"", "\"first\"")), ErrorKind::measure,
               {"knobs[0].pairs[0]", "with_first"});
  Ablation infinite = sample_ablation();
  infinite.knobs[1].pairs[2].with.step_time_ns = std::numeric_limits<double>::infinity();
  expect_error([&] { to_text(infinite); }, ErrorKind::measure, {"knobs[1].pairs[2].with.step_time_ns"});
}

}  // namespace
}  // namespace stepgate
