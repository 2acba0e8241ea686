#include "measure/ranks/train_together.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "json/records/run_record_json.h"
#include "support/temporary_folder.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

/// A shell script that replaces a perftest program of two ranks. It receives its rank and the path of its record.
class TrainTogether : public testing::Test {
 protected:
  TemporaryFolder folder;
  std::filesystem::path record = folder.path() / "out.record.json";
  std::vector<std::string> said;

  static RunRecord numerics_of(double loss, const std::string& parameters) {
    RunRecord found;
    found.case_name = "a/b/c";
    found.group = Group::exact;
    found.numerics = NumericTrace{
        .loss = {loss}, .grad_norm = {1}, .loss_digest = "0123456789abcdef", .parameter_digest = parameters};
    return found;
  }

  void records_are(const RunRecord& first, const RunRecord& second) const {
    folder.write("made-0", to_text(first));
    folder.write("made-1", to_text(second));
  }

  RanksEnd train(const std::string& script) {
    const auto program = folder.write("program",
                                      "#!/bin/sh\nfor word in \"$@\"; do case $word in\n"
                                      "--stepgate_record=*) record=${word#*=};;\n"
                                      "--stepgate_rank=*) rank=${word#*=};;\n"
                                      "esac; done\ncd " +
                                          folder.path().string() + "\n" + script + "\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    return train_together({.program = program,
                           .arguments = {"--stepgate_case=a/b/c", "--stepgate_record=" + record.string()},
                           .record = record,
                           .ranks = 2,
                           .on_line = [this](std::int64_t rank, std::string_view line) {
                             said.push_back(std::to_string(rank) + ": " + std::string(line));
                           }});
  }

  /// The files of the folder, except those that the test wrote itself.
  std::vector<std::string> left_behind() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      const std::string name = entry.path().filename();
      if (!name.starts_with("made-") && name != "program") names.push_back(name);
    }
    return names;
  }
};

TEST_F(TrainTogether, MakesOneRecordOfAll) {
  records_are(numerics_of(2, "pp"), numerics_of(4, "pp"));
  const RanksEnd end = train("cp made-$rank $record");
  EXPECT_FALSE(end.failure.has_value());
  const RunRecord merged = run_record_from_text(read_text_file(record), "merged");
  EXPECT_EQ(merged.numerics->loss, std::vector<double>{3});
  EXPECT_EQ(merged.fingerprint.at("ranks"), "2");
  EXPECT_THAT(left_behind(), UnorderedElementsAre("out.record.json"));
}

TEST_F(TrainTogether, GivesEachRankAFolderThatIsGoneAfterwards) {
  records_are(numerics_of(2, "pp"), numerics_of(4, "pp"));
  train(
      "for word in \"$@\"; do case $word in --stepgate_rendezvous=*) ls -d ${word#*=};; esac; done; "
      "echo $1; cp made-$rank $record");
  ASSERT_EQ(said.size(), 4U);
  EXPECT_THAT(said, testing::Contains(HasSubstr("out.record.json.ranks-")));
  EXPECT_THAT(said, testing::Contains("1: --stepgate_case=a/b/c"));
}

TEST_F(TrainTogether, WritesNothingWhereARankFails) {
  records_are(numerics_of(2, "pp"), numerics_of(4, "pp"));
  const RanksEnd end = train("cp made-$rank $record; exit $((rank * 5))");
  ASSERT_TRUE(end.failure.has_value());
  EXPECT_EQ(end.failure->rank, 1);
  EXPECT_EQ(end.failure->status, 5);
  EXPECT_THAT(left_behind(), testing::IsEmpty());
}

TEST_F(TrainTogether, RefusesRecordsThatDoNotFitTogether) {
  records_are(numerics_of(2, "pp"), numerics_of(4, "qq"));
  EXPECT_THROW(train("cp made-$rank $record"), Error);
  EXPECT_THAT(left_behind(), testing::IsEmpty());
}

TEST_F(TrainTogether, RefusesARankWithoutARecord) {
  records_are(numerics_of(2, "pp"), numerics_of(4, "pp"));
  EXPECT_THROW(train("[ $rank = 1 ] || cp made-$rank $record"), Error);
  EXPECT_THAT(left_behind(), testing::IsEmpty());
}

}  // namespace
}  // namespace stepgate
