#include "json/text/canonical_text.h"

#include <cstdint>
#include <limits>

#include "json/expect_error.h"

namespace stepgate {
namespace {

const Origin origin{"a thing", baseline_document};

TEST(CanonicalText, PutsOneKeyALineAndPlainArraysOnOneLine) {
  Json document = Json::object();
  document["b"] = {1, 2, 3};
  document["a"] = {{"x", "y"}};
  document["objects"] = Json::array({Json::object(), Json::array({Json::array({1, 2})})});
  document["empty"] = Json::array();
  EXPECT_EQ(canonical_text(document, origin),
            "{\n"
            "  \"b\": [1, 2, 3],\n"
            "  \"a\": {\n"
            "    \"x\": \"y\"\n"
            "  },\n"
            "  \"objects\": [\n"
            "    {},\n"
            "    [\n"
            "      [1, 2]\n"
            "    ]\n"
            "  ],\n"
            "  \"empty\": []\n"
            "}\n");
}

TEST(CanonicalText, EscapesTextsAndReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(canonical_text(Json("a\"b\\c\n\t\x01\xff"), origin), "\"a\\\"b\\\\c\\n\\t\\u0001\xef\xbf\xbd\"\n");
}

TEST(CanonicalText, WritesScalarsAsTheJsonLibraryDoes) {
  for (const Json& value :
       {Json(std::numeric_limits<std::int64_t>::min()), Json(std::numeric_limits<std::uint64_t>::max()), Json(0),
        Json(-1), Json(1.5), Json(1e300), Json(3.0), Json(true), Json(false), Json(nullptr), Json(""),
        Json("plain ~ !"), Json("tab\t"), Json("del\x7f"), Json("\xc3\xa9"), Json("a/b"), Json("\"")}) {
    EXPECT_EQ(canonical_text(value, origin), value.dump() + "\n");
    const Json object = {{"k\"ey", value}};
    EXPECT_EQ(canonical_text(object, origin), "{\n  \"k\\\"ey\": " + value.dump() + "\n}\n");
  }
}

TEST(CanonicalText, NamesTheKeyOfANonFiniteNumber) {
  Json document = Json::object();
  document["list"] = Json::array({1.0, std::numeric_limits<double>::quiet_NaN()});
  expect_error([&] { canonical_text(document, origin); }, ErrorKind::baseline,
               {"a thing: list[1]: not a finite number (nan)"});
  const Json deep = {{"a", {{"b", Json::array({Json{{"c", std::numeric_limits<double>::infinity()}}})}}}};
  expect_error([&] { canonical_text(deep, origin); }, ErrorKind::baseline, {"a thing: a.b[0].c: not a finite number"});
}

}  // namespace
}  // namespace stepgate
