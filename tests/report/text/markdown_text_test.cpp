#include "report/text/markdown_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string joiner = "\xE2\x81\xA0";

TEST(MarkdownText, OrdinaryNamesStayReadable) {
  EXPECT_EQ(markdown_text("language/char_lm/tiny, +1 aten::mm per step (95 %)"),
            "language/char_lm/tiny, +1 aten::mm per step (95 %)");
}

TEST(MarkdownText, MarkupBecomesReferences) {
  EXPECT_EQ(markdown_text("*b* `c` [l](x)"), "&#42;b&#42; &#96;c&#96; &#91;l&#93;(x)");
  EXPECT_EQ(markdown_text("a|b\\|c"), "a&#124;b&#92;&#124;c");
  EXPECT_EQ(markdown_text("<b>&lt;"), "&#60;b&#62;&#38;lt;");
  EXPECT_EQ(markdown_text("$x$ ~s~ !"), "&#36;x&#36; &#126;s&#126; &#33;");
}

TEST(MarkdownText, UnderscoresAreLettersOnlyInsideAWord) {
  EXPECT_EQ(markdown_text("aten::_softmax add_ char_lm"), "aten::&#95;softmax add&#95; char_lm");
}

TEST(MarkdownText, MakesNoMentionsAndNoLinks) {
  EXPECT_EQ(markdown_text("@octocat"), "@" + joiner + "octocat");
  EXPECT_EQ(markdown_text("#17"), "&#35;" + joiner + "17");
  EXPECT_EQ(markdown_text("https://e.example"), "https&#58;" + joiner + "//e.example");
  EXPECT_EQ(markdown_text("www.e.example"), "www&#46;" + joiner + "e.example");
  EXPECT_EQ(markdown_text("wWw.x GH-17 a@-b.c"), "wWw&#46;" + joiner + "x GH-" + joiner + "17 a@" + joiner + "-b.c");
}

TEST(MarkdownText, IsOneLineWithoutControls) {
  EXPECT_EQ(markdown_text("a\n# b\r\n\x1b[31m"), "a &#35;" + joiner + " b  ?&#91;31m");
}

TEST(MarkdownText, LosesTheMiddleBeforeItIsEscapedSoThatNoReferenceIsCut) {
  EXPECT_EQ(markdown_text("****************", 5), "&#42;&#42;\xE2\x80\xA6&#42;&#42;");
}

TEST(MarkdownCode, HoldsBackticksAndPipesBehindBackslashes) {
  EXPECT_EQ(markdown_code("a`b\\|c"), "<code>a&#96;b&#92;&#124;c</code>");
  EXPECT_EQ(markdown_code(""), "");
}

TEST(MarkdownFence, IsLongerThanEveryRunOfBackticksInIt) {
  EXPECT_EQ(markdown_fence("sh", {"x"}), "```sh\nx\n```\n");
  EXPECT_EQ(markdown_fence("", {"````", "end"}), "`````\n````\nend\n`````\n");
}

TEST(MarkdownFence, ALineCannotHoldAnother) {
  EXPECT_THAT(markdown_fence("", {"a\n```\nb", "\x1b[2J"}), Not(HasSubstr("\n```\nb")));
  EXPECT_THAT(markdown_fence("", {"\x1b[2J"}), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace stepgate
