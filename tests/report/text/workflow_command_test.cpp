#include "report/text/workflow_command.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace stepgate {
namespace {

TEST(WorkflowCommand, PointsAtALine) {
  EXPECT_EQ(workflow_command({"error", "baselines/a.json", 7, "step time", "slower"}),
            "::error file=baselines/a.json,line=7,title=step time::slower\n");
}

TEST(WorkflowCommand, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(workflow_command({"warning", "", 7, "", "slower"}), "::warning::slower\n");
  EXPECT_EQ(workflow_command({"notice", "a.json", 0, "", "x"}), "::notice file=a.json::x\n");
}

TEST(WorkflowCommand, EscapesWhatTheRunnerUndoes) {
  EXPECT_EQ(workflow_command({"error", "", 0, "a,b:c%", "100 %: a, b\nnext\n::error::no"}),
            "::error title=a%2Cb%3Ac%25::100 %25: a, b%0Anext%0A::error::no\n");
}

TEST(WorkflowCommand, IsAlwaysOneLineWithoutControls) {
  const std::string text = workflow_command({"error", "a\r\n::error::b", 1, "t\n::error::", "\r\n::x::\x1b[31m\x07"});
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_EQ(text.find_first_of("\r\x1b\x07"), std::string::npos) << text;
  EXPECT_EQ(text.find("::", 2), text.find("::%0A") == std::string::npos ? text.find(":: ") : text.find("::%0A"));
}

TEST(WorkflowCommand, LosesTheMiddleOfALongText) {
  EXPECT_LT(workflow_command({"error", "", 0, std::string(10'000, 't'), std::string(100'000, 'm')}).size(), 5'000U);
}

}  // namespace
}  // namespace stepgate
