#include "report/page/chart_frame.h"

#include <fmt/format.h>

#include <sstream>

#include "report/text/clean_text.h"

namespace stepgate {
namespace {

void put_first(pugi::xml_node svg, const char* element, const std::string& id, const std::string& text) {
  pugi::xml_node node = svg.prepend_child(element);
  node.append_attribute("id") = id.c_str();
  node.text() = xml_text(text).c_str();
}

}  // namespace

void name_chart(pugi::xml_node svg, const ChartName& name, const std::string& sentence) {
  for (const char* attribute : {"role", "aria-labelledby"}) svg.remove_attribute(attribute);
  svg.append_attribute("role") = "img";
  svg.append_attribute("aria-labelledby") = fmt::format("{0}-t {0}-d", name.id).c_str();
  put_first(svg, "desc", name.id + "-d", sentence);
  put_first(svg, "title", name.id + "-t", name.title);
}

ChartFrame open_chart(const ChartName& name, Place size, const std::string& sentence) {
  ChartFrame frame;
  frame.document = std::make_unique<pugi::xml_document>();
  frame.svg = frame.document->append_child("svg");
  const auto pixels = [](double value) { return fmt::format("{:.0f}", value); };
  frame.svg.append_attribute("width") = pixels(size.x).c_str();
  frame.svg.append_attribute("height") = pixels(size.y).c_str();
  frame.svg.append_attribute("viewBox") = fmt::format("0 0 {} {}", pixels(size.x), pixels(size.y)).c_str();
  name_chart(frame.svg, name, sentence);
  return frame;
}

std::string tone_class(std::string_view shape, Tone tone) {
  constexpr std::string_view names[] = {"", " good", " bad", " unsure"};
  return std::string(shape) + std::string(names[static_cast<std::size_t>(tone)]);
}

void add_diamond(pugi::xml_node parent, Place centre, Tone tone) {
  pugi::xml_node point = parent.append_child("path");
  point.append_attribute("class") = tone_class("point", tone).c_str();
  point.append_attribute("d") = fmt::format("M{:.1f} {:.1f}l4 4l-4 4l-4 -4z", centre.x, centre.y - 4).c_str();
}

std::string chart_text(const ChartFrame& frame) {
  std::ostringstream text;
  frame.svg.print(text, "", pugi::format_raw);
  return text.str();
}

}  // namespace stepgate
