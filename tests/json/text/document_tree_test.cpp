#include "json/text/document_tree.h"

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

/// {"k0": 0, "k1": 1, ...}
std::string numbered_keys(int count, const std::string& more) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) text += "\"k" + std::to_string(i) + "\": " + std::to_string(i) + ", ";
  return text + more + "}";
}

TEST(ParseDocument, FindsADuplicateAmongFewAndAmongManyKeys) {
  for (const int count : {1, 15, 16, 17, 40}) {
    SCOPED_TRACE(count);
    for (const std::string& repeated : {std::string("k0"), "k" + std::to_string(count - 1)}) {
      const std::string text = numbered_keys(count, "\"" + repeated + "\": {}");
      expect_error([&] { parse_document(text, document_origin); }, ErrorKind::usage,
                   {"x.json: " + repeated + ": duplicate key"});
    }
    const Json tree = parse_document(numbered_keys(count, "\"last\": [{\"k0\": 1}]"), document_origin);
    EXPECT_EQ(tree.size(), static_cast<std::size_t>(count) + 1);
    EXPECT_EQ(tree.at("k" + std::to_string(count - 1)), count - 1);
    EXPECT_EQ(tree.back().dump(), R"([{"k0":1}])") << "keys stay in order";
  }
}

TEST(ParseDocument, LetsMarkersInsideTextsPass) {
  EXPECT_EQ(parse_document("{\"a\": \"<<<<<<<\"}", document_origin).at("a"), "<<<<<<<");
}

std::string nested(std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

TEST(ParseDocument, RefusesDeepNesting) {
  EXPECT_TRUE(parse_document(nested(100), document_origin).is_array());
  expect_error([&] { parse_document(nested(101), document_origin); }, ErrorKind::usage,
               {"x.json: [0][0]", "more than 100 levels of nesting"});
  expect_error([&] { parse_document(nested(1'000'000 / 4), document_origin); }, ErrorKind::usage,
               {"levels of nesting"});
  std::string keys;
  for (int level = 0; level < 5000; ++level) keys += "{\"a\": ";
  const auto error = error_of([&] { parse_document(keys, document_origin); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), testing::HasSubstr("levels of nesting"));
  EXPECT_LT(std::string(error->what()).size(), 250U);
}

TEST(ParseDocument, RefusesATextThatIsLongerThanItsTypeAllows) {
  const std::string blanks = "{}" + std::string(policy_document.most_bytes, ' ');
  expect_error([&] { parse_document(blanks, document_origin); }, ErrorKind::usage,
               {"x.json: 1048578 bytes are too many: a policy may have 1 MiB"});
  EXPECT_TRUE(parse_document(blanks, {"x.json", measurement_document}).is_object());
}

TEST(ParseDocument, RefusesMoreValuesThanFitIntoMemory) {
  std::string zeros = "[0";
  for (std::size_t i = 0; i < most_values; ++i) zeros += ",0";
  expect_error(
      [&] {
        parse_document(zeros + "]", {"x.json", measurement_document});
      },
      ErrorKind::measure, {"x.json: more than 4000000 values"});
}

TEST(ParseDocument, CutsWhatItQuotes) {
  const std::string word(100'000, 'y');
  for (const std::string& text : {"[t" + word + "]", "[\"" + word + "\x01\"]", "[1" + word + "]",
                                  "{\"" + word + "\": 1, \"" + word + "\": 2}", "[-" + word + "]"}) {
    const auto error = error_of([&] { parse_document(text, document_origin); });
    ASSERT_TRUE(error) << text.substr(0, 10);
    EXPECT_LT(std::string(error->what()).size(), 300U) << text.substr(0, 10);
  }
}

}  // namespace
}  // namespace stepgate
