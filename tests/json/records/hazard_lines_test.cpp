#include "json/records/hazard_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "core/error.h"
#include "json/records/measurement_json.h"
#include "json/sample_documents.h"

namespace stepgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string hazard_line =
    R"({"kind": "write after read", "earlier": {"maker": "kernels", "work": "kernels", "operator": "aten::abs", )"
    R"("writes": false, "device": 0, "stream": 7, "in_graph": true, "place": {"offsets": ["1a2b", "ff"]}, )"
    R"("for_forward": false}, "later": {"maker": "host", "work": "host", "operator": "aten::fill_", "writes": true, )"
    R"("device": 0, "stream": 0, "in_graph": false, "place": {"offsets": []}, "for_forward": false}, "bytes": 64, )"
    R"("page_locked": true, "reused": false, "remedy": "wait"})"
    "\n";
const std::string end_line =
    R"({"end": true, "accesses": 9, "host_accesses": 1, "kernels": 5, "unknown_kernels": 2, "hazards": 1, )"
    R"("repeated": 4, "forgotten": 0})"
    "\n";

std::string refusal_of_hazards(const std::string& text) {
  try {
    hazards_from_text(text, "hazards.jsonl");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::measure);
    return error.what();
  }
  return "";
}

TEST(HazardLines, AreReadWithTheTotals) {
  const HazardLines lines = hazards_from_text(hazard_line + end_line, "hazards.jsonl");
  const StreamHazards& hazards = lines.hazards;
  EXPECT_EQ(lines.ended_processes, 1);
  EXPECT_EQ(hazards.accesses, 9);
  EXPECT_EQ(hazards.kernels, 5);
  EXPECT_EQ(hazards.unknown_kernels, 2);
  EXPECT_EQ(hazards.hazards, 1);
  ASSERT_EQ(hazards.found.size(), 1U);
  const StreamHazard& hazard = hazards.found[0];
  EXPECT_EQ(hazard.kind, "write after read");
  EXPECT_EQ(hazard.earlier.op, "aten::abs");
  EXPECT_TRUE(hazard.earlier.in_graph);
  EXPECT_EQ(hazard.earlier.place.offsets, (std::vector<std::uint64_t>{0x1a2b, 0xff}));
  EXPECT_EQ(hazard.later.work, "host");
  EXPECT_TRUE(hazard.later.writes);
  EXPECT_TRUE(hazard.page_locked);
  EXPECT_EQ(hazard.remedy, "wait");
}

TEST(HazardLines, OfSeveralProcessesAddUp) {
  const HazardLines lines = hazards_from_text(hazard_line + end_line + hazard_line + end_line, "hazards.jsonl");
  EXPECT_EQ(lines.hazards.hazards, 2);
  EXPECT_EQ(lines.hazards.found.size(), 2U);
  EXPECT_EQ(lines.ended_processes, 2);
}

TEST(HazardLines, AProcessThatOnlyStartsRanksIsNoneOfThem) {
  std::string none = end_line;
  none.replace(none.find(R"("accesses": 9)"), sizeof(R"("accesses": 9)") - 1, R"("accesses": 0)");
  EXPECT_EQ(hazards_from_text(end_line + none, "hazards.jsonl").ended_processes, 1);
}

TEST(HazardLines, OfARankWithoutALastLineCount) {
  std::string none = end_line;
  none.replace(none.find(R"("hazards": 1)"), sizeof(R"("hazards": 1)") - 1, R"("hazards": 0)");
  EXPECT_EQ(hazards_from_text(hazard_line + none, "hazards.jsonl").hazards.hazards, 1) << "else the metric would pass";
}

TEST(HazardLines, OfAProcessThatEndedEarlyAreNoResult) {
  for (const std::string& text : {std::string(), hazard_line, end_line + hazard_line, hazard_line + "{\"end\": true",
                                  end_line.substr(0, end_line.size() - 1)}) {
    EXPECT_THAT(refusal_of_hazards(text), HasSubstr("is not whole")) << text;
  }
}

TEST(HazardLines, AWrongLineIsNamed) {
  EXPECT_THAT(refusal_of_hazards(hazard_line + "[]\n" + end_line), HasSubstr("hazards.jsonl:2"));
  EXPECT_THAT(refusal_of_hazards("{\"end\": true, \"accesses\": -1}\n"), AllOf(HasSubstr(":1"), HasSubstr("accesses")));
  EXPECT_THAT(refusal_of_hazards("{\"kind\": \"x\"}\n" + end_line), HasSubstr("earlier"));
}

/// A process that was killed leaves a part of the file; a broken disk leaves anything.
TEST(HazardLines, NoPartAndNoBrokenByteIsTakenForTheWholeOrCrashes) {
  const std::string whole = hazard_line + end_line;
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    EXPECT_NE(refusal_of_hazards(whole.substr(0, bytes)), "") << bytes;
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char other : {'}', '"', '9', '\n', '\0', '\xff'}) {
      std::string broken = whole;
      broken[at] = other;
      static_cast<void>(refusal_of_hazards(broken));  // an error of another kind fails there
    }
  }
}

/// A measurement that was written with such a sum could not be read again.
TEST(HazardLines, SumsThatNoDocumentHoldsAreRefused) {
  std::string many = end_line;
  many.replace(many.find(R"("kernels": 5)"), sizeof(R"("kernels": 5)") - 1, R"("kernels": 9007199254740992)");
  EXPECT_EQ(hazards_from_text(many, "hazards.jsonl").hazards.kernels, std::int64_t{1} << 53);
  EXPECT_THAT(refusal_of_hazards(many + end_line), AllOf(HasSubstr("hazards.jsonl:2"), HasSubstr("kernels")));
}

TEST(HazardLines, OfAFileThatIsTooLongAreNotRead) {
  EXPECT_THAT(refusal_of_hazards(std::string(most_hazard_file_bytes, '\n') + end_line), HasSubstr("may have 64 MiB"));
}

TEST(HazardLines, AMeasurementKeepsThem) {
  Measurement before = sample_measurement();
  before.hazards = hazards_from_text(hazard_line + end_line, "hazards.jsonl").hazards;
  before.hazards->found[0].earlier.place.frames = {{"train", "train.cpp", 12}};
  const Measurement after = measurement_from_text(to_text(before), "measurement.json");
  EXPECT_EQ(after.hazards, before.hazards);
  EXPECT_FALSE(measurement_from_text(to_text(sample_measurement()), "measurement.json").hazards);
}

}  // namespace
}  // namespace stepgate
