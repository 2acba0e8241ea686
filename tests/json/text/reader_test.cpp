#include "json/text/reader.h"

#include <cmath>

#include "json/expect_error.h"

namespace stepgate {
namespace {

const Origin origin_of_policy{"x.json", policy_document};

DocumentTree tree_of(const std::string& text) { return read_document(text, origin_of_policy); }

TEST(Reader, BuildsPathsThatCanBeFoundInTheFile) {
  const DocumentTree tree = tree_of(R"({"a": {"b.c": [[0, "x"]]}})");
  Reader root(tree, origin_of_policy);
  Reader list = root.at("a").at("b.c");
  expect_error([&] { list.list_of(&Reader::integers); }, ErrorKind::usage,
               {"x.json: a[\"b.c\"][0][1]: expected an integer"});
}

TEST(Reader, NamesTheOneOfEqualValuesThatItIsAt) {
  const DocumentTree tree = tree_of(R"({"a": {"x": "1"}, "b": [{"x": "1"}, {"x": "1"}]})");
  Reader root(tree, origin_of_policy);
  std::vector<std::string> paths;
  root.at("b").list_of([&](Reader each) {
    paths.push_back(each.at("x").path());
    return true;
  });
  EXPECT_THAT(paths, ::testing::ElementsAre("b[0].x", "b[1].x"));
  EXPECT_EQ(root.at("a").at("x").path(), "a.x");
  EXPECT_EQ(root.path(), "");
}

TEST(Reader, FindsKeysInAnyOrder) {
  const DocumentTree tree = tree_of(R"({"a": 1, "b": 2, "c": 3})");
  Reader root(tree, origin_of_policy);
  for (const auto& [key, value] :
       std::vector<std::pair<const char*, int>>{{"c", 3}, {"a", 1}, {"b", 2}, {"a", 1}, {"c", 3}, {"b", 2}}) {
    EXPECT_FALSE(root.find("d"));
    EXPECT_EQ(root.at(key).integer(), value);
  }
  root.reject_other_keys();
  const DocumentTree empty = tree_of("{}");
  EXPECT_FALSE(Reader(empty, origin_of_policy).find("a"));
}

TEST(Reader, ShortensWhatItFound) {
  const DocumentTree tree = tree_of("\"" + std::string(500, 'y') + "\"");
  const auto error = error_of([&] { Reader(tree, origin_of_policy).integer(); });
  ASSERT_TRUE(error);
  EXPECT_LT(std::string(error->what()).size(), 130u);
  EXPECT_THAT(error->what(), ::testing::EndsWith("..."));
}

TEST(Reader, ShortensKeysOfTheFile) {
  const DocumentTree tree = tree_of("{\"" + std::string(5000, 'k') + "\": 1}");
  const Reader root(tree, origin_of_policy);
  for (const auto& error :
       {error_of([&] { root.reject_other_keys(); }), error_of([&] { root.map_of(&Reader::text); })}) {
    ASSERT_TRUE(error);
    EXPECT_LT(std::string(error->what()).size(), 200u);
    EXPECT_THAT(error->what(), ::testing::HasSubstr("kkk..."));
  }
}

TEST(Reader, TakesIntegersThatADoubleHolds) {
  const DocumentTree tree = tree_of("[9007199254740992, -9007199254740992]");
  EXPECT_THAT(Reader(tree, origin_of_policy).integers(),
              ::testing::ElementsAre(std::int64_t{1} << 53, -(std::int64_t{1} << 53)));
  for (const char* larger : {"9007199254740993", "-9007199254740993", "9223372036854775807", "-9223372036854775808",
                             "9223372036854775808"}) {
    const DocumentTree one = tree_of(larger);
    expect_error([&] { Reader(one, origin_of_policy).integer(); }, ErrorKind::usage,
                 {"expected an integer from -2^53 to 2^53, found " + std::string(larger)});
  }
  const DocumentTree largest = tree_of("9223372036854775808");
  EXPECT_EQ(Reader(largest, origin_of_policy).unsigned_integer(), 9223372036854775808u);
}

TEST(Reader, ACountIsNotNegative) {
  const DocumentTree none = tree_of("0");
  EXPECT_EQ(Reader(none, origin_of_policy).count(), 0);
  const DocumentTree negative = tree_of("-1");
  expect_error([&] { Reader(negative, origin_of_policy).count(); }, ErrorKind::usage,
               {"expected a count, 0 or more, found -1"});
}

TEST(Reader, TakesAnyNumberWhereADoubleIsAskedFor) {
  const DocumentTree tree = tree_of("[-3, 4, 0.5, 18446744073709551615, -0.0]");
  EXPECT_THAT(Reader(tree, origin_of_policy).numbers(),
              ::testing::ElementsAre(-3.0, 4.0, 0.5, 18446744073709551616.0, 0.0));
}

TEST(Reader, ReadsNonFiniteNamesOnlyWhereAskedTo) {
  for (double value : std::initializer_list<double>{INFINITY, -INFINITY, 1.5}) {
    const DocumentTree written = tree_of(write_non_finite(value).dump());
    EXPECT_EQ(Reader(written, origin_of_policy).number_or_non_finite(), value);
  }
  const DocumentTree nan = tree_of(write_non_finite(NAN).dump());
  EXPECT_TRUE(std::isnan(Reader(nan, origin_of_policy).number_or_non_finite()));
  expect_error([&] { Reader(nan, origin_of_policy).number(); }, ErrorKind::usage, {"expected a number, found \"nan\""});
  const DocumentTree other = tree_of("\"Infinity\"");
  expect_error([&] { Reader(other, origin_of_policy).number_or_non_finite(); }, ErrorKind::usage,
               {"found \"Infinity\""});
}

TEST(Reader, GivesADocumentInADocument) {
  const std::string inner = R"({"b":[1,-2,0.5,true,null,{}],"a":"x\n\u0001é"})";
  const DocumentTree tree = tree_of("{\"before\": [[], {}], \"inner\": " + inner + ", \"after\": 1}");
  Reader root(tree, origin_of_policy);
  EXPECT_EQ(root.at("inner").json_text(), inner);
}

TEST(Reader, NamesAnUnknownKeyWithoutAGuessWhereNoneIsNear) {
  const DocumentTree tree = tree_of(R"({"alpha": 1, "zzzzzzzz": 2})");
  Reader root(tree, origin_of_policy);
  root.at("alpha");
  const auto error = error_of([&] { root.reject_other_keys(); });
  ASSERT_TRUE(error);
  EXPECT_STREQ(error->what(), "x.json: zzzzzzzz: unknown key");
}

TEST(Reader, NeedsAnObjectForKeys) {
  const DocumentTree tree = tree_of("3");
  expect_error([&] { Reader(tree, origin_of_policy).check_schema(); }, ErrorKind::usage,
               {"x.json: expected a policy (a JSON object), found 3"});
  Reader reader(tree, origin_of_policy);
  expect_error([&] { reader.at("a"); }, ErrorKind::usage, {"expected an object, found 3"});
}

TEST(Reader, AVersionHasNoOtherKeys) {
  const DocumentTree tree = tree_of(R"({"schema": {"name": "stepgate.policy", "major": 1, "minor": 0, "mayor": 1}})");
  expect_error([&] { Reader(tree, origin_of_policy).check_schema(); }, ErrorKind::usage,
               {"schema.mayor", "unknown key"});
}

TEST(Reader, TellsWhatToDoAboutAnotherMajorVersion) {
  const DocumentTree tree = tree_of(R"({"schema": {"name": "stepgate.policy", "major": 7, "minor": 0}})");
  const auto error = error_of([&] { Reader(tree, origin_of_policy).check_schema(); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), ::testing::HasSubstr("schema.major: this stepgate reads major version 1"));
  EXPECT_THAT(error->remedy(), ::testing::StartsWith("use the stepgate that wrote it"));
}

}  // namespace
}  // namespace stepgate
