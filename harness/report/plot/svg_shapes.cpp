#include "report/plot/svg_shapes.h"

#include <fmt/format.h>

#include <array>

#include "report/text/clean_text.h"

namespace stepgate {
namespace {

/// More lines repeat the colours; shapes and names still distinguish them.
constexpr std::size_t series_count = 6;

constexpr std::array<const char*, series_count> dashes = {"", "7 3", "2 3", "10 3 2 3", "4 2", "1 2"};

/// Outline of each marker around (0, 0).
constexpr std::array<const char*, series_count> markers = {"M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
                                                           "M-4.5 -4.5h9v9h-9z",
                                                           "M0 -5.5L5.5 4.5H-5.5z",
                                                           "M0 -6L6 0L0 6L-6 0z",
                                                           "M0 5.5L5.5 -4.5H-5.5z",
                                                           "M-6 -2.5h12v5h-12z"};

constexpr const char* style_sheet = R"(
    .page { fill: #ffffff; }
    text { font-family: system-ui, "DejaVu Sans", sans-serif; font-size: 13px; fill: #1f2328; }
    .title { font-size: 17px; font-weight: 600; }
    .tick { font-size: 12px; fill: #57606a; }
    .label { fill: #424a53; }
    .knee-text { fill: #1f2328; font-size: 13px; }
    .best { font-weight: 600; }
    .halo { stroke: #ffffff; stroke-width: 4; stroke-linejoin: round; paint-order: stroke; }
    .end { text-anchor: end; }
    .middle { text-anchor: middle; }
    .grid { stroke: #d8dee4; stroke-width: 1; }
    .axis { stroke: #57606a; stroke-width: 1; }
    .knee { stroke: #57606a; stroke-width: 1; stroke-dasharray: 3 3; }
    .beyond { fill: #afb8c1; fill-opacity: 0.16; }
    .ring { fill: none; stroke: #1f2328; stroke-width: 1.5; }
    .bar { stroke-width: 1.4; }
    .curve { fill: none; stroke-width: 1.8; }
    .s0 { stroke: #0072b2; } .s0 .mark { fill: #0072b2; }
    .s1 { stroke: #d55e00; } .s1 .mark { fill: #d55e00; }
    .s2 { stroke: #009e73; } .s2 .mark { fill: #009e73; }
    .s3 { stroke: #aa4499; } .s3 .mark { fill: #aa4499; }
    .s4 { stroke: #8a6d00; } .s4 .mark { fill: #8a6d00; }
    .s5 { stroke: #444444; } .s5 .mark { fill: #444444; }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117; }
      text, .knee-text { fill: #e6edf3; }
      .tick { fill: #9198a1; }
      .label { fill: #c9d1d9; }
      .grid { stroke: #2b3139; }
      .axis, .knee { stroke: #9198a1; }
      .beyond { fill: #6e7681; fill-opacity: 0.22; }
      .ring { stroke: #e6edf3; }
      .halo { stroke: #0d1117; }
      .s0 { stroke: #56b4e9; } .s0 .mark { fill: #56b4e9; }
      .s1 { stroke: #e69f00; } .s1 .mark { fill: #e69f00; }
      .s2 { stroke: #2fc79a; } .s2 .mark { fill: #2fc79a; }
      .s3 { stroke: #e39bc9; } .s3 .mark { fill: #e39bc9; }
      .s4 { stroke: #f0e442; } .s4 .mark { fill: #f0e442; }
      .s5 { stroke: #bbbbbb; } .s5 .mark { fill: #bbbbbb; }
    }
  )";

std::string pixels(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name) = value.c_str();
}

pugi::xml_node add(pugi::xml_node parent, const char* element, const std::string& style) {
  pugi::xml_node node = parent.append_child(element);
  set(node, "class", style);
  return node;
}

}  // namespace

pugi::xml_node open_svg(pugi::xml_document& document, Place size, const std::string& title) {
  pugi::xml_node root = document.append_child("svg");
  set(root, "xmlns", "http://www.w3.org/2000/svg");
  set(root, "width", pixels(size.x));
  set(root, "height", pixels(size.y));
  set(root, "viewBox", fmt::format("0 0 {} {}", pixels(size.x), pixels(size.y)));
  set(root, "role", "img");
  add_title(root, title);
  root.append_child("style").text() = style_sheet;
  pugi::xml_node page = add(root, "rect", "page");
  set(page, "width", "100%");
  set(page, "height", "100%");
  return root;
}

std::string series_class(std::size_t line) { return fmt::format("s{}", line % series_count); }

pugi::xml_node add_group(pugi::xml_node parent, const std::string& style) { return add(parent, "g", style); }

void add_line(pugi::xml_node parent, Place from, Place to, const char* style) {
  pugi::xml_node node = add(parent, "line", style);
  set(node, "x1", pixels(from.x));
  set(node, "y1", pixels(from.y));
  set(node, "x2", pixels(to.x));
  set(node, "y2", pixels(to.y));
}

void add_rectangle(pugi::xml_node parent, Place from, Place to, const char* style) {
  pugi::xml_node node = add(parent, "rect", style);
  set(node, "x", pixels(from.x));
  set(node, "y", pixels(from.y));
  set(node, "width", pixels(to.x - from.x));
  set(node, "height", pixels(to.y - from.y));
}

void add_text(pugi::xml_node parent, Place at, const char* style, const std::string& text) {
  pugi::xml_node node = add(parent, "text", style);
  set(node, "x", pixels(at.x));
  set(node, "y", pixels(at.y));
  node.text() = xml_text(text).c_str();
}

void add_title(pugi::xml_node parent, const std::string& text) {
  parent.append_child("title").text() = xml_text(text).c_str();
}

void add_polyline(pugi::xml_node parent, const std::vector<Place>& places, std::size_t line) {
  std::string points;
  for (const Place& place : places) {
    points += fmt::format("{}{},{}", points.empty() ? "" : " ", pixels(place.x), pixels(place.y));
  }
  pugi::xml_node node = add(parent, "polyline", "curve");
  set(node, "points", points);
  if (const std::string dash = dashes[line % series_count]; !dash.empty()) set(node, "stroke-dasharray", dash);
}

void add_marker(pugi::xml_node parent, Place at, std::size_t line) {
  pugi::xml_node node = add(parent, "path", "mark");
  set(node, "d", markers[line % series_count]);
  set(node, "transform", fmt::format("translate({} {})", pixels(at.x), pixels(at.y)));
}

void add_cross(pugi::xml_node parent, Place at, double reach) {
  add_line(parent, {at.x - reach, at.y - reach}, {at.x + reach, at.y + reach}, "bar");
  add_line(parent, {at.x - reach, at.y + reach}, {at.x + reach, at.y - reach}, "bar");
}

void add_ring(pugi::xml_node parent, Place at, double radius) {
  pugi::xml_node node = add(parent, "circle", "ring");
  set(node, "cx", pixels(at.x));
  set(node, "cy", pixels(at.y));
  set(node, "r", pixels(radius));
}

void add_disc(pugi::xml_node parent, Place at, double radius) {
  pugi::xml_node node = add(parent, "circle", "mark");
  set(node, "cx", pixels(at.x));
  set(node, "cy", pixels(at.y));
  set(node, "r", pixels(radius));
  set(node, "fill-opacity", "0.6");
}

}  // namespace stepgate
