#include "json/traces/trace_file.h"

#include <gmock/gmock.h>

#include "json/expect_error.h"
#include "support/scripted_trace.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ScriptedTrace small_trace() {
  ScriptedTrace trace;
  trace.step(7, 0, 100);
  trace.operator_call("aten::mm", 10, 5.001);
  trace.call("cudaLaunchKernel", 11, 2, 42);
  trace.kernel("gemm", 20.25, 30, 42);
  trace.copy("Memcpy HtoD (Pageable -> Device)", 60, 5, 43);
  trace.operator_call("aten::mm", 70, 1, 2);
  trace.raw(R"({"ph": "f", "id": 42, "pid": 17, "tid": 1, "ts": 11, "cat": "ac2g", "name": "ac2g", "bp": "e"})");
  trace.raw(
      R"({"ph": "X", "cat": "Trace", "ts": 1, "dur": 2, "pid": "Spans", "tid": "PyTorch Profiler", "name": "x"})");
  return trace;
}

TEST(TraceFile, KeepsTheEventsOfAnAccount) {
  const TemporaryFolder folder;
  const TraceEvents trace = read_trace_file(folder.write("t.json", small_trace().text()));
  ASSERT_EQ(trace.events.size(), 6u);
  EXPECT_THAT(trace.names, ElementsAre("ProfilerStep#7", "aten::mm", "cudaLaunchKernel", "gemm",
                                       "Memcpy HtoD (Pageable -> Device)"));
  EXPECT_THAT(trace.threads, ElementsAre("17/1", "17/2"));
  const TraceEvent& kernel = trace.events[3];
  EXPECT_EQ(kernel.category, TraceCategory::kernel);
  EXPECT_EQ(kernel.start_ns, 1'712'195'495'000'020'250);
  EXPECT_EQ(kernel.duration_ns, 30'000);
  EXPECT_EQ(kernel.correlation, 42);
  EXPECT_EQ(trace.events[1].duration_ns, 5'001);
  EXPECT_EQ(trace.events[1].name, trace.events[5].name);
  EXPECT_EQ(trace.events[5].thread, 1u);
  EXPECT_EQ(trace.events[4].category, TraceCategory::copy);
  EXPECT_EQ(trace.rank, 3);
  EXPECT_EQ(trace.ranks, 8);
  EXPECT_EQ(trace.devices.at(0), "Toy GPU");
  EXPECT_EQ(trace.other_events, 1);
}

TEST(TraceFile, ReadsCompressedAndPlainTextAlike) {
  const TemporaryFolder folder;
  const TraceEvents plain = read_trace_file(folder.write("t.json", small_trace().text()));
  const TraceEvents packed = read_trace_file(write_gzip(folder.path() / "t.json.gz", small_trace().text()));
  ASSERT_EQ(plain.events.size(), packed.events.size());
  EXPECT_EQ(plain.names, packed.names);
  EXPECT_EQ(plain.text_bytes, packed.text_bytes);
}

TEST(TraceFile, ReadsABareListAndOldNamesOfCategories) {
  const TemporaryFolder folder;
  const TraceEvents trace = read_trace_file(folder.write("t.json", R"([
    {"name": "k", "cat": "Kernel", "ph": "X", "ts": 5, "dur": 2, "pid": 1, "tid": "stream 7", "args": {}},
    {"name": "op", "cat": "Operator", "ph": "X", "ts": 1, "dur": 3, "pid": "host", "tid": "main"},
    {"name": "op", "cat": "Operator", "ph": "X", "ts": "soon", "dur": 3, "pid": "host", "tid": "main"}])"));
  ASSERT_EQ(trace.events.size(), 2u);
  EXPECT_EQ(trace.events[0].device, 1);
  EXPECT_THAT(trace.threads, ElementsAre("host/main"));
  EXPECT_EQ(trace.damaged_events, 1);
}

TEST(TraceFile, SaysWhereATextIsCutOff) {
  const TemporaryFolder folder;
  const std::string whole = small_trace().text();
  for (std::size_t length = 1; length + 1 < whole.size(); length += 7) {
    const auto path = folder.write("cut.json", whole.substr(0, length));
    expect_error([&] { read_trace_file(path); }, ErrorKind::usage, {"cut off after " + std::to_string(length)});
  }
}

TEST(TraceFile, SaysWhatAFileIsInsteadOfATrace) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& text, const std::vector<std::string>& parts) {
    const auto path = folder.write("other.json", text);
    expect_error([&] { read_trace_file(path); }, ErrorKind::usage, parts);
  };
  refused("", {"other.json", "empty"});
  refused("step,time\n1,2\n", {"not JSON from byte 1"});
  refused(R"({"results": []})", {"no traceEvents"});
  refused(R"({"traceEvents": [], "x": 1})", {"without operators, calls or kernels"});
  refused(small_trace().text() + "}", {"not JSON from byte"});
  refused(R"({"traceEvents": [{"args": )" + std::string(200, '[') + std::string(200, ']') + "}]}",
          {"levels of nesting"});
  expect_error([&] { read_trace_file(folder.path() / "none.json"); }, ErrorKind::usage, {"none.json"});
  expect_error([&] { read_trace_file(folder.path()); }, ErrorKind::usage, {"cannot read"});
}

TEST(TraceFile, SaysThatCompressedDataAreDamaged) {
  const TemporaryFolder folder;
  std::string packed = text_of(write_gzip(folder.path() / "t.json.gz", small_trace().text()));
  const auto cut = folder.write("cut.json.gz", packed.substr(0, packed.size() / 2));
  expect_error([&] { read_trace_file(cut); }, ErrorKind::usage, {"cut.json.gz", "compressed file is cut off"});
  packed[packed.size() / 2] = static_cast<char>(packed[packed.size() / 2] ^ 0x55);
  const auto damaged = folder.write("bad.json.gz", packed);
  expect_error([&] { read_trace_file(damaged); }, ErrorKind::usage, {"bad.json.gz", "damaged"});
}

TEST(TraceFile, StopsAtItsLimits) {
  const TemporaryFolder folder;
  const auto path = folder.write("t.json", small_trace().text());
  expect_error([&] { read_trace_file(path, {.text_bytes = 500}); }, ErrorKind::usage, {"MiB of text"});
  expect_error([&] { read_trace_file(path, {.events = 5}); }, ErrorKind::usage, {"more than 5 events"});
  EXPECT_EQ(read_trace_file(path, {.events = 6}).events.size(), 6u);
}

}  // namespace
}  // namespace stepgate
