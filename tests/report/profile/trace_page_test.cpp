#include "report/profile/trace_page.h"

#include <gmock/gmock.h>

#include "support/golden.h"
#include "support/sample_trace_account.h"

namespace stepgate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(TracePageGolden, ShowsStepsAccountLimitsAndKernels) {
  expect_golden("report/trace_account.txt", render_trace_account(sample_trace_account(), {}));
}

TEST(TracePage, WithoutStepsOrLimitsItSaysSo) {
  TraceAccount account = sample_trace_account();
  account.steps = 0;
  account.bottlenecks.clear();
  const std::string page = render_trace_account(account, {.verbose = true});
  EXPECT_THAT(page, HasSubstr("none marked; the account covers 465.2 ms"));
  EXPECT_THAT(page, HasSubstr("not judged: without marked steps"));
  account.steps = 6;
  EXPECT_THAT(render_trace_account(account, {}), HasSubstr("no part that has a threshold is above it"));
  EXPECT_THAT(page, HasSubstr("idle: host waits for data"));
}

TEST(TracePage, NamesFromAFileStayText) {
  TraceAccount account = sample_trace_account();
  account.source = account.of = account.costliest[0].name = account.notes[0] = "a\x1b[2Jb";
  EXPECT_THAT(render_trace_account(account, {}), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace stepgate
