// What a record says of its threads: how they waited, and what ran beside the step.
#include <gtest/gtest.h>

#include "json/records/run_record_json.h"
#include "json/sample_documents.h"

namespace stepgate {
namespace {

TEST(ThreadsOfARecord, AreKept) {
  RunRecord record = sample_timed_record();
  record.scheduling = {.run_ns = 9, .wait_ns = 5, .own_wait_ns = 3};
  record.waiting = {.wall_ns = 70, .cpu_ns = 4};
  record.background = {.cpu_ns = 8, .step_cpu_ns = 6, .steps = 2, .threads = {{"spinner", 7}}};
  RunRecord after = run_record_from_text(to_text(record), "record.json");
  ASSERT_TRUE(after.background);
  EXPECT_EQ(after.background->step_cpu_ns, 6);
  EXPECT_EQ(after.background->threads, record.background->threads);
  ASSERT_TRUE(after.waiting);
  EXPECT_EQ(after.waiting->wall_ns, 70);
  EXPECT_EQ(after.waiting->cpu_ns, 4);
  ASSERT_TRUE(after.scheduling);
  EXPECT_EQ(after.scheduling->run_ns, 9);
  EXPECT_EQ(after.scheduling->wait_ns, 5);
  EXPECT_EQ(after.scheduling->own_wait_ns, 3);
  record.scheduling->own_wait_ns = 0;
  EXPECT_EQ(to_text(record).find("own_wait_ns"), std::string::npos) << "as an older program writes it";
}

}  // namespace
}  // namespace stepgate
