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
  EXPECT_THAT(trace.names,
              ElementsAre("ProfilerStep", "aten::mm", "cudaLaunchKernel", "gemm", "Memcpy HtoD (Pageable -> Device)"));
  EXPECT_THAT(trace.threads, ElementsAre("17/1", "17/2"));
  const TraceEvent& kernel = trace.events[3];
  EXPECT_EQ(kernel.category, TraceCategory::kernel);
  EXPECT_EQ(kernel.start_ns, 1'712'195'495'000'020'250);
  EXPECT_EQ(kernel.duration_ns, 30'000);
  EXPECT_EQ(kernel.correlation, 42);
  EXPECT_EQ(trace.events[1].duration_ns, 5'001);
  EXPECT_EQ(trace.events[1].name, trace.events[5].name);
  EXPECT_EQ(trace.events[5].place, 1u);
  EXPECT_EQ(trace.events[0].category, TraceCategory::step);
  EXPECT_EQ(trace.events[0].correlation, 7);
  EXPECT_EQ(trace.events[4].category, TraceCategory::copy);
  EXPECT_EQ(trace.rank, 3);
  EXPECT_EQ(trace.ranks, 8);
  EXPECT_EQ(trace.devices.at(0), "Toy GPU");
  ASSERT_EQ(trace.not_needed.count("Trace"), 1u);
  EXPECT_EQ(trace.not_needed.at("Trace").events, 1);
  EXPECT_EQ(trace.not_needed.at("Trace").ns, 2'000);
  EXPECT_TRUE(trace.not_known.empty());
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
  EXPECT_THAT(trace.device_ids, ElementsAre(1));
  EXPECT_THAT(trace.threads, ElementsAre("host/main"));
  EXPECT_EQ(trace.left_out.at("without a time that can be read").events, 1);
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
  refused(" \n\t ", {"empty"});
  refused("step,time\n1,2\n", {"not JSON from byte 1 of the text on: \"step\""});
  refused(R"({"results": []})", {"no traceEvents"});
  refused(R"({"traceEvents": 5})", {"no list of them"});
  refused(R"({"traceEvents": [], "x": 1})", {"without operators, calls or kernels"});
  refused(R"({"traceEvents": [{"ph": "X", "cat": "tpu_op", "name": "a", "ts": 1, "dur": 2}]})", {"it holds: 1 tpu_op"});
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

TEST(TraceFile, NamesWhatIsNoTraceAndWhatToDoWithIt) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& text, const std::string& is, const std::string& remedy) {
    const auto path = folder.write("other.json", text);
    const auto error = error_of([&] { read_trace_file(path); });
    ASSERT_TRUE(error) << is;
    EXPECT_THAT(error->what(), HasSubstr(is));
    EXPECT_THAT(error->remedy(), HasSubstr(remedy));
  };
  refused("PK\x03\x04rest", "a zip archive", "unzip");
  refused(
      "\x28\xB5\x2F\xFD"
      "rest",
      "zstd", "zstd -d");
  refused("\x80\x04rest", "pickle", "torch.profiler");
  refused("SQLite format 3", "SQLite", "torch.profiler");
  refused("<!DOCTYPE html>", "HTML", "download");
  refused("version https://git-lfs.github.com/spec/v1\n", "Git LFS", "git lfs pull");
  refused(R"({"schema": "1.0", "nodes": []})", "execution trace", "torch.profiler");
  refused(R"({"benchmarks": []})", "benchmarks", "history import");
  refused(R"({"traceEvents": [{"ph": "X", "cat": "tpu_op", "ts": 1, "dur": 2}]})", "1 tpu_op", "torch.profiler");
  refused(R"({"traceEvents": [{"ph": "X", "cat": "kernel", "ts": 1, "dur": -2}]})", "a negative length",
          "record it again");
  const std::string once = text_of(write_gzip(folder.path() / "once.json.gz", small_trace().text()));
  const auto error = error_of([&] { read_trace_file(write_gzip(folder.path() / "twice.json.gz", once)); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), HasSubstr("twice.json.gz: compressed twice, no trace"));
}

TEST(TraceFile, ReadsNumbersThatAreStringsOrNotFinite) {
  const TemporaryFolder folder;
  const TraceEvents trace = read_trace_file(folder.write("t.json", R"({"traceEvents": [
    {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": "0", "tid": "7", "ts": "5.25", "dur": "2",
     "args": {"device": "1", "correlation": "42", "bandwidth": inf, "x": -nan, "y": 1.#INF, "z": Infinity}},],})"));
  ASSERT_EQ(trace.events.size(), 1u);
  EXPECT_EQ(trace.events[0].start_ns, 5'250);
  EXPECT_EQ(trace.events[0].duration_ns, 2'000);
  EXPECT_EQ(trace.events[0].correlation, 42);
  EXPECT_THAT(trace.device_ids, ElementsAre(1));
}

TEST(TraceFile, ReadsStringsThatNobodyEscaped) {
  const TemporaryFolder folder;
  const auto name_in = [&](const std::string& written) {
    const std::string event = R"("ph": "X", "cat": "cpu_op", "pid": 1, "tid": 2, "ts": 5, "dur": 2, "name": ")";
    const TraceEvents trace =
        read_trace_file(folder.write("t.json", "\xEF\xBB\xBF{\"traceEvents\": [{" + event + written + "\"}]}"));
    EXPECT_TRUE(trace.left_out.empty()) << written;
    return trace.names.empty() ? "" : trace.names[0];
  };
  EXPECT_EQ(name_in(R"(C:\Users\me\x.py(3): f)"), R"(C:\Users\me\x.py(3): f)");
  EXPECT_EQ(name_in(R"(C:\users\uber)"), R"(C:\users\uber)");
  EXPECT_EQ(name_in(R"(Library("inductor"): x)"), R"(Library("inductor"): x)");
  EXPECT_EQ(name_in(R"(a\"b\\c\/d)"), R"(a"b\c/d)");
  EXPECT_EQ(name_in("line\nend\x01!"), "line end !");
  EXPECT_EQ(name_in(R"(\u0448\u00e9\u0041)"),
            "\xD1\x88\xC3\xA9"
            "A");
  EXPECT_EQ(name_in("not \xFF UTF-8"), "not \xFF UTF-8");
}

/// Names of generated code look like JSON themselves: {"device": "cpu"}(12): run
TEST(TraceFile, GivesUpOneEventThatIsNotJsonAndReadsTheNext) {
  const TemporaryFolder folder;
  ScriptedTrace script = small_trace();
  script.raw(R"({"ph": "X", "cat": "python_function", "name": "{"device": "cpu", "dtype": "float32"}(12): run",
                 "pid": 1, "tid": 2, "ts": 1, "dur": 1, "args": {"Python id": 1}})");
  script.kernel("after", 80, 1, 44);
  const TraceEvents trace = read_trace_file(folder.write("t.json", script.text()));
  EXPECT_EQ(trace.events.size(), 7u);
  EXPECT_THAT(trace.names, ::testing::Contains("after"));
  EXPECT_EQ(trace.left_out.at("in text that is not JSON").events, 1);
}

TEST(TraceFile, JoinsBeginsAndEnds) {
  const TemporaryFolder folder;
  const TraceEvents trace = read_trace_file(folder.write("t.json", R"([
    {"ph": "B", "cat": "cpu_op", "name": "outer", "pid": 1, "tid": 2, "ts": 10},
    {"ph": "B", "cat": "cpu_op", "name": "inner", "pid": 1, "tid": 2, "ts": 12},
    {"ph": "B", "cat": "cpu_op", "name": "other thread", "pid": 1, "tid": 3, "ts": 13},
    {"ph": "E", "pid": 1, "tid": 2, "ts": 15},
    {"ph": "E", "pid": 1, "tid": 2, "ts": 20},
    {"ph": "E", "pid": 1, "tid": 2, "ts": 30},
    {"ph": "B", "cat": "tpu_op", "name": "no account reads it", "pid": 1, "tid": 4, "ts": 30}])"));
  ASSERT_EQ(trace.events.size(), 2u);
  EXPECT_EQ(trace.name_of(trace.events[0]), "inner");
  EXPECT_EQ(trace.events[0].duration_ns, 3'000);
  EXPECT_EQ(trace.events[1].duration_ns, 10'000);
  EXPECT_EQ(trace.left_out.at("with an end (ph E) and no begin").events, 1);
  EXPECT_EQ(trace.left_out.at("with a begin (ph B) and no end").events, 2);
  EXPECT_TRUE(trace.not_known.empty()) << "nobody knows its time";
}

TEST(TraceFile, KnowsTheCategoriesOfOtherDevices) {
  const TemporaryFolder folder;
  ScriptedTrace script;
  for (const char* category : {"xpu_runtime", "xpu_driver", "privateuse1_runtime", "mlu_memcpy", "tpu_op"}) {
    script.raw(R"({"ph": "X", "cat": ")" + std::string(category) +
               R"(", "name": "a", "pid": 1, "tid": 2, "ts": 5, "dur": 2})");
  }
  script.raw(R"({"ph": "X", "name": "add", "pid": "CPU functions", "tid": 0, "ts": 5, "dur": 2})");
  script.raw(R"({"ph": "X", "name": "add", "pid": "CUDA functions", "tid": 0, "ts": 5, "dur": 2})");
  const TraceEvents trace = read_trace_file(folder.write("t.json", script.text()));
  std::vector<TraceCategory> categories;
  for (const TraceEvent& event : trace.events) categories.push_back(event.category);
  EXPECT_THAT(categories,
              ElementsAre(TraceCategory::runtime_call, TraceCategory::runtime_call, TraceCategory::runtime_call,
                          TraceCategory::copy, TraceCategory::operator_call, TraceCategory::kernel));
  EXPECT_EQ(trace.not_known.at("tpu_op").events, 1);
  EXPECT_EQ(trace.not_known.at("tpu_op").ns, 2'000);
}

TEST(TraceFile, StopsAtItsLimits) {
  const TemporaryFolder folder;
  const auto path = folder.write("t.json", small_trace().text());
  expect_error([&] { read_trace_file(path, {.text_bytes = 500}); }, ErrorKind::usage, {"MiB of text"});
  expect_error([&] { read_trace_file(path, {.events = 5}); }, ErrorKind::usage, {"more than 5 events"});
  expect_error([&] { read_trace_file(path, {.names = 3}); }, ErrorKind::usage, {"more than 3 different names"});
  expect_error([&] { read_trace_file(path, {.steps = 0}); }, ErrorKind::usage, {"more than 0 steps"});
  EXPECT_EQ(read_trace_file(path, {.events = 6}).events.size(), 6u);
}

/// Five megabytes of a compressed file hold gigabytes of one token.
TEST(TraceFile, HoldsNoTokenWhole) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& text, const std::string& part) {
    const auto path = write_gzip(folder.path() / "bomb.json.gz", text);
    expect_error([&] { read_trace_file(path); }, ErrorKind::usage, {"bomb.json.gz", part, "from byte"});
  };
  refused(R"({"traceEvents": [)" + std::string(most_blank_bytes + 1, ' '),
          "a run of blanks of more than 1048576 bytes");
  refused(R"({"traceEvents": [{"name": ")" + std::string(most_string_bytes + 1, 'x'), "a string of more than");
  refused(R"({"traceEvents": [{")" + std::string(most_string_bytes + 1, 'x'), "a string of more than");
  refused(R"({"traceEvents": [{"ts": )" + std::string(most_word_bytes + 1, '1'), "a number or word of more than 1000");
  ScriptedTrace script = small_trace();
  script.operator_call(std::string(1'000'000, 'y'), 75, 1);
  const TraceEvents trace = read_trace_file(folder.write("t.json", script.text()));
  EXPECT_EQ(trace.names.back(), std::string(most_kept_bytes, 'y'));
}

}  // namespace
}  // namespace stepgate
