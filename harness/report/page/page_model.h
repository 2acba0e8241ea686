// A report page before it is HTML: a head that gives the answer, and sections made of a few kinds of blocks. Every kind
// of result fills the same model. All texts are as programs and files gave them; render_page() cleans and escapes them.
#pragma once

#include <string>
#include <vector>

namespace stepgate {

/// Meaning of a text, shown by a sign, a word and a colour. Never by a colour alone.
enum class Tone { plain, good, bad, unsure };

/// "1 regressed": a part of the first line.
struct PageCount {
  Tone tone = Tone::plain;
  std::string text;
};

struct PageLink {
  std::string text;
  std::string url = {};  ///< "" or anything but http(s): shown as text only
};

/// A line of a list: "cause", the sentence, where it is, what to do.
struct PageItem {
  std::string label;
  std::string text;
  std::vector<PageLink> places = {};
  std::string advice = {};
};

struct PageCell {
  std::string text = {};
  Tone tone = Tone::plain;
  std::string chart = {};   ///< an svg element of chart_svg.h, "" for none
  std::string target = {};  ///< id of the section of this page that the text leads to, "" for none
  std::string swatch = {};  ///< class of a colour that a chart uses for this row, "" for none
};

struct PageColumn {
  std::string text = {};
  bool number = false;  ///< right-aligned
};

/// The first cell of each row is its header.
struct PageTable {
  std::string caption = {};
  std::vector<PageColumn> columns = {};
  std::vector<std::vector<PageCell>> rows = {};
};

/// A command for copying, with what it does.
struct PageCommand {
  std::string label;
  std::string text;
};

/// The parts that are not empty are shown in this order. A folded block shows its heading only, until a reader opens
/// it.
struct PageBlock {
  std::string heading = {};
  bool folded = false;
  bool wide = false;  ///< takes the whole width instead of a column
  std::vector<std::string> paragraphs = {};
  std::string chart = {};
  bool large_chart = false;  ///< scrolls on a narrow screen instead of becoming too small to read
  std::vector<PageItem> items = {};
  PageTable table = {};
  std::vector<std::string> lines = {};  ///< output of a program, as it is
  std::vector<PageCommand> commands = {};
};

struct PageSection {
  std::string id;  ///< unique in the page: letters, digits and "-"
  Tone tone = Tone::plain;
  std::string heading = {};
  std::string note = {};  ///< beside the heading
  bool folded = false;
  std::vector<PageBlock> blocks = {};
};

struct Page {
  std::string title;  ///< title of the browser's window
  std::vector<PageCount> counts;
  std::vector<std::string> facts;   ///< what was measured where and when, one short text each
  std::vector<PageItem> sentences;  ///< the answer: what is wrong and why; the first one is the largest
  std::vector<PageSection> sections;
  std::vector<std::string> footer;
};

/// "pass", "worse", "not sure" as one character that needs no special font.
std::string sign_of(Tone tone);

}  // namespace stepgate
