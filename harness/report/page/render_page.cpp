#include "report/page/render_page.h"

#include <algorithm>
#include <kainjow/mustache.hpp>
#include <string_view>

#include "report/page/page_templates.h"
#include "report/text/clean_text.h"

namespace stepgate {
namespace {

using kainjow::mustache::data;
using kainjow::mustache::mustache;

/// Longer than any message of stepgate; a command is never cut, because another one would do something else.
constexpr std::size_t widest_page_text = 2000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "%", "ms", "MiB" and digits of "1 310 720" stay on the line of their number.
bool belongs_to_number(std::string_view rest) {
  constexpr std::string_view units[] = {"%", "ms", "us", "ns", "s", "B", "KiB", "MiB", "GiB"};
  const std::size_t end = std::min(rest.find_first_of(" ,;:.)]"), rest.size());
  const std::string_view word = rest.substr(0, end);
  if (word.size() == 3 && std::all_of(word.begin(), word.end(), is_digit)) return true;
  return std::find(std::begin(units), std::end(units), word) != std::end(units);
}

std::string with_units_held(const std::string& text) {
  std::string held;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool holds =
        text[i] == ' ' && i > 0 && is_digit(text[i - 1]) && belongs_to_number(std::string_view(text).substr(i + 1));
    held += holds ? "\xC2\xA0" : std::string(1, text[i]);  // no-break space
  }
  return held;
}

std::string page_text(const std::string& text) {
  return with_units_held(shortened(terminal_text(text, false), widest_page_text, false));
}

/// A cell up to this length stays on one line: "peak allocated".
constexpr std::size_t longest_short_cell = 18;

std::string tone_name(Tone tone) {
  constexpr std::string_view names[] = {"plain", "good", "bad", "unsure"};
  return std::string(names[static_cast<std::size_t>(tone)]);
}

bool is_web_address(const std::string& url) { return url.starts_with("https://") || url.starts_with("http://"); }

data page_list() { return data(data::type::list); }

/// A section of a template is shown where its key is neither false nor missing.
data text_or_false(const std::string& text) { return text.empty() ? data(false) : data(page_text(text)); }
data html_or_false(const std::string& html) { return html.empty() ? data(false) : data(html); }

data texts_data(const std::vector<std::string>& texts) {
  data all = page_list();
  for (const std::string& text : texts) all.push_back(data("text", page_text(text)));
  return all;
}

/// Output of a program keeps its spaces.
data lines_data(const std::vector<std::string>& lines) {
  data all = page_list();
  for (const std::string& line : lines) {
    all.push_back(data("text", shortened(terminal_text(line, false), widest_page_text, false)));
  }
  return all;
}

/// Renders inner parts first: each template is parsed once, and the finished HTML of a part is put into the next as it
/// is. Only this class writes unescaped text into a template.
class PageRenderer {
 public:
  std::string page(const Page& page) {
    data all("digest", std::string(page_style_digest));
    all.set("style", std::string(page_style));
    all.set("title", page_text(page.title));
    all.set("counts", counts_data(page.counts));
    all.set("sentences", items_data(page.sentences));
    all.set("facts", texts_data(page.facts));
    std::string sections;
    for (const PageSection& one : page.sections) sections += section(one);
    all.set("sections", sections);
    all.set("footer", texts_data(page.footer));
    return page_.render(all);
  }

 private:
  std::string section(const PageSection& section) {
    data one("id", section.id);
    one.set("open", !section.folded);
    one.set("tone", tone_name(section.tone));
    one.set("sign", sign_of(section.tone));
    one.set("signed", section.tone != Tone::plain);
    one.set("text", page_text(section.heading));
    one.set("note", text_or_false(section.note));
    std::string blocks;
    for (const PageBlock& part : section.blocks) blocks += block(section, part);
    one.set("blocks", blocks);
    return section_.render(one);
  }

  std::string block(const PageSection& section, const PageBlock& block) {
    data one("heading", text_or_false(block.heading));
    one.set("folded", block.folded);
    one.set("wide", block.wide);
    one.set("paragraphs", texts_data(block.paragraphs));
    one.set("chart", html_or_false(block.chart));
    one.set("large", block.large_chart);
    one.set("plot", page_text(section.heading + ": plot"));
    one.set("has_items", !block.items.empty());
    one.set("items", items_data(block.items));
    one.set("table", block.table.rows.empty() ? data(false) : table_data(section, block));
    one.set("has_lines", !block.lines.empty());
    one.set("lines", lines_data(block.lines));
    data commands = page_list();
    for (const PageCommand& command : block.commands) {
      data line("label", page_text(command.label));
      line.set("text", terminal_text(command.text, false));
      commands.push_back(line);
    }
    one.set("commands", commands);
    return block_.render(one);
  }

  data items_data(const std::vector<PageItem>& items) {
    data all = page_list();
    for (const PageItem& item : items) {
      data one("text", page_text(item.text));
      one.set("label", text_or_false(item.label));
      one.set("size", &item == items.data() ? "lead" : "next");
      one.set("places", places(item.places));
      one.set("advice", text_or_false(item.advice));
      all.push_back(one);
    }
    return all;
  }

  std::string places(const std::vector<PageLink>& places) {
    std::string html;
    for (const PageLink& place : places) {
      data one("text", page_text(place.text));
      one.set("url", is_web_address(place.url) ? data(terminal_text(place.url, false)) : data(false));
      html += " " + link_.render(one);
    }
    return html;
  }

  /// A region that scrolls has a name that no other one of the page has.
  data table_data(const PageSection& section, const PageBlock& block) {
    const PageTable& table = block.table;
    data one("caption", text_or_false(table.caption));
    const std::string& name = table.caption.empty() ? block.heading : table.caption;
    one.set("region", page_text(section.heading + ": " + (name.empty() ? "table" : name)));
    data columns = page_list();
    for (const PageColumn& column : table.columns) {
      data head("text", page_text(column.text));
      head.set("number", column.number);
      columns.push_back(head);
    }
    one.set("columns", columns);
    std::string rows;
    for (const auto& cells : table.rows) rows += row(table, cells);
    one.set("rows", rows);
    return one;
  }

  std::string row(const PageTable& table, const std::vector<PageCell>& cells) {
    std::string html = "<tr>";
    for (std::size_t column = 0; column < cells.size(); ++column) {
      const PageCell& cell = cells[column];
      data one("text", page_text(cell.text));
      one.set("first", column == 0);
      const bool number = column < table.columns.size() && table.columns[column].number;
      const bool is_short = cell.text.size() <= longest_short_cell;
      one.set("kind", number ? "number" : is_short ? "short" : "long");
      one.set("toned", cell.tone != Tone::plain);
      one.set("tone", tone_name(cell.tone));
      one.set("sign", sign_of(cell.tone));
      one.set("svg", cell.chart);
      one.set("target", html_or_false(cell.target));
      one.set("swatch", html_or_false(cell.swatch));
      html += cell_.render(one);
    }
    return html + "</tr>\n";
  }

  data counts_data(const std::vector<PageCount>& counts) {
    data all = page_list();
    for (const PageCount& count : counts) {
      data one("text", page_text(count.text));
      one.set("tone", tone_name(count.tone));
      one.set("sign", sign_of(count.tone));
      all.push_back(one);
    }
    return all;
  }

  mustache page_{std::string(page_template)};
  mustache section_{std::string(section_template)};
  mustache block_{std::string(block_template)};
  mustache cell_{std::string(cell_template)};
  mustache link_{std::string(link_template)};
};

}  // namespace

std::string sign_of(Tone tone) {
  switch (tone) {
    case Tone::good:
      return "\xE2\x9C\x93";  // check mark
    case Tone::bad:
      return "\xE2\x9C\x97";  // ballot x
    case Tone::unsure:
      return "?";
    case Tone::plain:
      break;
  }
  return "\xC2\xB7";  // middle dot
}

std::string render_page(const Page& page) { return PageRenderer().page(page); }

}  // namespace stepgate
