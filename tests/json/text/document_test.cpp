#include "json/text/document.h"

#include "json/expect_error.h"

namespace stepgate {
namespace {

const Origin document_origin{"x.json", policy_document};

struct BadText {
  std::string text;
  std::string message;
};

TEST(ParseDocument, SaysWhereTheTextIsWrong) {
  const std::vector<BadText> table = {
      {"", "x.json: the file is empty"},
      {" \n\t", "x.json: the file is empty"},
      {"{\n  \"a\": 1,\n  \"b\": }\n", "x.json:3:8: not valid JSON: unexpected '}'"},
      {"{\n  \"a\": 1", "x.json:2:9: the file ends too early (cut off?): unexpected end of input"},
      {"{\"a\": 1} x", "x.json:1:10: not valid JSON"},
      {"{\"a\": 1,}", "x.json:1:9: not valid JSON"},
      {"// words\n{}", "x.json:1:1: not valid JSON"},
      {"{\"a\": \"b\n\"}", "x.json:1:9: not valid JSON: invalid string: control character U+000A"},
      {"{\"a\": -1e400}", "x.json:1:12: not valid JSON: number overflow"},
      {"{\"a\": \"\xff\"}", "x.json:1:8: not valid JSON: invalid string: ill-formed UTF-8 byte"},
      {"{\"a\": [{}, {\"b\": 1, \"b\": 2}]}", "x.json: a[1].b: duplicate key"},
      {"{\n<<<<<<< ours\n}", "x.json:2: unresolved git conflict (\"<<<<<<<\")"},
      {"{\r\n=======\r\n}", "x.json:2: unresolved git conflict (\"=======\")"},
  };
  for (const BadText& bad : table) {
    SCOPED_TRACE(bad.text);
    expect_error([&] { parse_document(bad.text, document_origin); }, ErrorKind::usage, {bad.message});
  }
}

TEST(ParseDocument, ErrorsTakeKindAndRemedyFromTheDocument) {
  const auto error = error_of([&] { parse_document("[", {"b.json", baseline_document}); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::baseline);
  EXPECT_EQ(error->remedy(), baseline_document.remedy);
}

TEST(ParseDocument, BuildsTheTreeInOrder) {
  const Json tree = parse_document(R"({"z": [1, -2, 2.5, true, null, {"k": "v"}], "a": {}, "m": []})", document_origin);
  EXPECT_EQ(tree.dump(), R"({"z":[1,-2,2.5,true,null,{"k":"v"}],"a":{},"m":[]})");
}

TEST(ParseDocument, LetsEqualKeysOfDifferentObjectsPass) {
  EXPECT_EQ(parse_document(R"([{"a": {"a": 1}}, {"a": 2}])", document_origin).dump(), R"([{"a":{"a":1}},{"a":2}])");
}

TEST(ParseDocument, LetsMarkersInsideTextsPass) {
  EXPECT_EQ(parse_document("{\"a\": \"<<<<<<<\"}", document_origin).at("a"), "<<<<<<<");
}

TEST(ParseDocument, SurvivesDeepNesting) {
  const std::string deep(100000, '[');
  expect_error([&] { parse_document(deep, document_origin); }, ErrorKind::usage, {"ends too early"});
  const std::string closed = deep + std::string(deep.size(), ']');
  EXPECT_TRUE(parse_document(closed, document_origin).is_array());
}

TEST(DocumentOf, StartsWithNameAndVersion) {
  EXPECT_EQ(document_of(policy_document).dump(), R"({"schema":{"name":"stepgate.policy","major":1,"minor":1}})");
}

}  // namespace
}  // namespace stepgate
