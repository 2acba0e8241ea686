#include <gtest/gtest.h>

#include "json/records/run_record_json.h"
#include "json/sample_documents.h"

namespace stepgate {
namespace {

TEST(SkippedUpdatesInARecord, AreKeptWithTheLossScale) {
  RunRecord before = sample_timed_record();
  TimedPass& pass = before.timed.at("e2e");
  pass.steps.at(0).skipped_update = true;
  pass.windows.at(0).skipped_update = true;
  before.logging = {{.on = true, .wall_ns = 5, .steps = 1, .skipped_update = true}};
  before.device_work = {{.wall_ns = 5, .work_ns = 4, .records = 3, .steps = 1, .skipped_update = true}};
  before.numerics = NumericTrace{};
  before.numerics->loss_scale = {65536, 32768};
  const RunRecord after = run_record_from_text(to_text(before), "record.json");
  EXPECT_TRUE(after.timed.at("e2e").steps[0].skipped_update);
  EXPECT_TRUE(after.timed.at("e2e").windows[0].skipped_update);
  EXPECT_TRUE(after.logging.at(0).skipped_update);
  EXPECT_TRUE(after.device_work.at(0).skipped_update);
  EXPECT_EQ(after.numerics->loss_scale, before.numerics->loss_scale);
  EXPECT_EQ(to_text(sample_timed_record()).find("skipped_update"), std::string::npos) << "only where there are any";
}

}  // namespace
}  // namespace stepgate
