#include "json/stored/manifest_json.h"

#include "json/expect_error.h"
#include "json/sample_documents.h"

namespace stepgate {
namespace {

TEST(ManifestJson, ResolvesPathsAgainstItsOwnFolder) {
  const Manifest manifest = manifest_from_text(sample_manifest_text(), "/build/x/stepgate-manifest.json");
  EXPECT_EQ(manifest.path, "/build/x/stepgate-manifest.json");
  EXPECT_EQ(manifest.build_type, "Release");
  EXPECT_EQ(manifest.policy_root, "/build/perftests");
  EXPECT_EQ(manifest.baseline_root, "/srv/baselines");
  ASSERT_EQ(manifest.cases.size(), 2u);
  EXPECT_EQ(manifest.cases[0].name, "language/char_lm/tiny");
  EXPECT_EQ(manifest.cases[0].suite, "language");
  EXPECT_EQ(manifest.cases[0].program, "/build/x/bin/char_lm");
  EXPECT_EQ(manifest.cases[0].device, Device::cpu);
  EXPECT_EQ(manifest.cases[0].timeout_s, 300);
  EXPECT_EQ(manifest.cases[1].program, "/opt/char_lm");
  EXPECT_EQ(manifest.cases[1].device, Device::cuda);
  EXPECT_EQ(manifest.cases[1].timeout_s, 900);
}

TEST(ManifestJson, ACaseMayHaveDataOfItsOwn) {
  const std::string text =
      replaced(sample_manifest_text(), "\"timeout_s\": 900", "\"timeout_s\": 900, \"data_root\": \"../data\"");
  const Manifest manifest = manifest_from_text(text, "/build/x/stepgate-manifest.json");
  EXPECT_EQ(manifest.cases[0].data_root, "");
  EXPECT_EQ(manifest.cases[1].data_root, "/build/data");
}

TEST(ManifestJson, ACaseOfCudaNeedsOneGpuUnlessItSaysMore) {
  const Manifest older = manifest_from_text(sample_manifest_text(), "/build/x/stepgate-manifest.json");
  EXPECT_EQ(older.cases[0].gpus, 0) << "a CPU case";
  EXPECT_EQ(older.cases[1].gpus, 1);
  const std::string text = replaced(sample_manifest_text(), "\"timeout_s\": 900", "\"timeout_s\": 900, \"gpus\": 2");
  EXPECT_EQ(manifest_from_text(text, "/build/x/stepgate-manifest.json").cases[1].gpus, 2);
}

TEST(ManifestJson, ACaseMayLeaveItsTimesToPairs) {
  const auto with = [](const std::string& keys) {
    return replaced(sample_manifest_text(), "\"timeout_s\": 900", "\"timeout_s\": 900, " + keys);
  };
  const Manifest manifest = manifest_from_text(with("\"tiers\": \"exact\""), "/build/x/stepgate-manifest.json");
  EXPECT_TRUE(manifest.cases[0].gates_times) << "not said";
  EXPECT_FALSE(manifest.cases[1].gates_times);
  EXPECT_TRUE(manifest_from_text(with("\"tiers\": \"both\""), "m.json").cases[1].gates_times);
  expect_error([&] { manifest_from_text(with("\"tiers\": \"exact\", \"benchmark\": \"BM_A\""), "m.json"); },
               ErrorKind::usage, {"has times only"});
}

TEST(ManifestJson, ProgramsAreAbsoluteEvenWhereTheManifestsPathIsNot) {
  const Manifest manifest = manifest_from_text(sample_manifest_text(), "stepgate-manifest.json");
  EXPECT_EQ(manifest.cases[0].program, std::filesystem::current_path() / "bin/char_lm");
}

struct BadManifest {
  const char* from;
  const char* to;
  const char* message;
};

TEST(ManifestJson, NamesFileAndKeyOfWhatIsWrong) {
  const std::vector<BadManifest> table = {
      {"\"device\": \"cpu\"", "\"device\": \"gpu\"", "cases[0].device: expected \"cpu\" or \"cuda\", found \"gpu\""},
      {"\"timeout_s\": 900", "\"timeout_s\": 0", "cases[1].timeout_s: expected seconds above 0, found 0"},
      {"\"timeout_s\": 900", "\"gpus\": 0", "cases[1].gpus: expected 1 or more on cuda, 0 on cpu, found 0"},
      {"\"timeout_s\": 900", "\"tiers\": \"timed\"", "cases[1].tiers: expected \"exact\" or \"both\", found \"timed\""},
      {"\"timeout_s\": 900", "\"timeout\": 9", "cases[1].timeout: unknown key; did you mean \"timeout_s\"?"},
      {"language/char_lm/big", "../../../etc/cron", "cases[1].name: expected a name like \"language/char_lm/tiny\""},
      {"language/char_lm/big", "language/char_lm/Big",
       "cases[1].name: expected a name like \"language/char_lm/tiny\", of a-z, 0-9, _ and /, found "
       "\"language/char_lm/Big\""},
      {"\"suite\": \"language\"", "\"suite\": \"..\"", "cases[0].suite: expected a name like \"language\""},
      {"language/char_lm/big", "language/char_lm/tiny", "cases: duplicate case \"language/char_lm/tiny\""},
      {"\"program\": \"bin/char_lm\"", "\"program\": \"\"", "cases[0].program: expected a text that is not empty"},
      {"\"build_type\": \"Release\",", "", "the key \"build_type\" is missing"},
      {"\"build_type\"", "\"extra\": 1, \"build_type\"", "extra: unknown key"},
  };
  for (const BadManifest& bad : table) {
    SCOPED_TRACE(bad.to);
    const std::string text = replaced(sample_manifest_text(), bad.from, bad.to);
    expect_error([&] { manifest_from_text(text, "b/manifest.json"); }, ErrorKind::usage,
                 {std::string("b/manifest.json: ") + bad.message});
  }
}

}  // namespace
}  // namespace stepgate
