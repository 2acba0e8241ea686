#include "json/traces/operand_reader.h"

#include <gmock/gmock.h>

#include "json/expect_error.h"
#include "json/traces/trace_file.h"
#include "support/scripted_trace.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string operator_event(const std::string& arguments) {
  return R"({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 17, "tid": 1, "ts": 10, "dur": 5, "args": {)" +
         arguments + "}}";
}

constexpr const char* product_arguments =
    R"("External id": 3, "Concrete Inputs": ["", "", "[16, 16]"], "Input type": ["float", "float", "ScalarList"],
       "Input Strides": [[64, 1], [1, 64], []], "Input Dims": [[8, 64], [64, 4], []], "Ev Idx": 8)";

TraceEvents read_operators(const std::vector<std::string>& arguments,
                           const TraceLimits& limits = {.operands = most_trace_operands}) {
  const TemporaryFolder folder;
  ScriptedTrace trace;
  for (const std::string& each : arguments) trace.raw(operator_event(each));
  return read_trace_file(folder.write("t.json", trace.text()), limits);
}

TEST(OperandReader, KeepsTheOperandsOfEachKindOnce) {
  const TraceEvents trace = read_operators({product_arguments, product_arguments, R"("Input type": ["int"])"});
  ASSERT_EQ(trace.operands.size(), 2U);
  EXPECT_THAT(trace.operands[0].types, ElementsAre("float", "float", "ScalarList"));
  EXPECT_THAT(trace.operands[0].sizes, ElementsAre(ElementsAre(8, 64), ElementsAre(64, 4), IsEmpty()));
  EXPECT_THAT(trace.operands[0].strides, ElementsAre(ElementsAre(64, 1), ElementsAre(1, 64), IsEmpty()));
  EXPECT_THAT(trace.operands[0].values, ElementsAre("", "", "[16, 16]"));
  EXPECT_THAT(trace.operands[1].sizes, IsEmpty());
  EXPECT_EQ(trace.events[0].correlation, 1);
  EXPECT_EQ(trace.events[1].correlation, 1);
  EXPECT_EQ(trace.events[2].correlation, 2);
}

TEST(OperandReader, ReadsNoneWhereNobodyAsks) {
  const TraceEvents trace = read_operators({product_arguments}, {});
  EXPECT_THAT(trace.operands, IsEmpty());
  EXPECT_EQ(trace.events[0].correlation, 0);
}

TEST(OperandReader, ACallWithoutTypesHasNone) {
  const TraceEvents trace = read_operators({R"("External id": 3)", R"("Input Dims": [[8]])"});
  EXPECT_THAT(trace.operands, IsEmpty());
}

/// Half of the operands would be those of another call.
TEST(OperandReader, OperandsThatAreNotKeptWholeAreNotKept) {
  const std::string long_text(most_kept_bytes, 'x');
  EXPECT_THAT(read_operators({R"("Input type": ["float"], "Concrete Inputs": [")" + long_text + R"("])"}).operands,
              IsEmpty());
  std::string many = "1";
  for (std::size_t i = 0; i < most_operand_bytes / sizeof(std::int64_t); ++i) many += ", 1";
  EXPECT_THAT(read_operators({R"("Input type": ["float"], "Input Dims": [[)" + many + "]]"}).operands, IsEmpty());
  EXPECT_THAT(read_operators({R"("Input type": ["float"], "Input Dims": [[1.5]])"}).operands, IsEmpty());
  EXPECT_THAT(read_operators({R"("Input type": ["float"], "Input Dims": [["8"]])"}).operands.size(), 1U)
      << "some producers write numbers as strings";
}

TEST(OperandReader, ListsOfTensorsAreNotTakenForSizes) {
  const TraceEvents trace =
      read_operators({R"("Input type": ["TensorList", "float"], "Input Dims": [[[2], [3]], [4]])"});
  EXPECT_THAT(trace.operands.at(0).sizes, ElementsAre(IsEmpty(), ElementsAre(4)));
}

TEST(OperandReader, DifferentOperandsAreDifferentWhateverTheirTexts) {
  const TraceEvents trace = read_operators(
      {R"("Input type": ["a", "b"])", R"("Input type": ["a1:b"])", R"("Input type": ["a"], "Input Dims": [[1, 2]])",
       R"("Input type": ["a"], "Input Dims": [[1], [2]])", R"("Input type": ["a"], "Input Strides": [[1, 2]])"});
  EXPECT_EQ(trace.operands.size(), 5U);
}

TEST(OperandReader, MoreKindsThanAJobHasAreRefused) {
  const TemporaryFolder folder;
  ScriptedTrace trace;
  for (int i = 0; i < 4; ++i) {
    trace.raw(operator_event(R"("Input type": ["float"], "Input Dims": [[)" + std::to_string(i) + "]]"));
  }
  const auto path = folder.write("t.json", trace.text());
  EXPECT_EQ(read_trace_file(path, {.operands = 4}).operands.size(), 4U);
  expect_error([&] { read_trace_file(path, {.operands = 3}); }, ErrorKind::usage,
               {"t.json", "more than 3 different operands"});
}

TEST(OperandReader, TheTraceSaysItsVersionsOfCuda) {
  const TemporaryFolder folder;
  const auto path = folder.write("t.json", R"({"cuda_runtime_version": 12040, "cuda_driver_version": 12090,
    "traceEvents": [)" + operator_event("\"cuda_runtime_version\": 1") +
                                               "]}");
  const TraceEvents trace = read_trace_file(path);
  EXPECT_EQ(trace.cuda_runtime_version, 12040);
  EXPECT_EQ(trace.cuda_driver_version, 12090);
}

}  // namespace
}  // namespace stepgate
