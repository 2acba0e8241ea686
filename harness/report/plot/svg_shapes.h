// The shapes and colours of plots. Coordinates are in pixels, y downward.
#pragma once

#include <cstddef>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

struct Place {
  double x = 0;
  double y = 0;
};

/// An svg element of this size with title, background, and a style sheet for light and dark. The colours are those of
/// Okabe and Ito ("Color universal design", 2008), which people with any kind of colour vision can distinguish. The
/// dark scheme uses the lighter ones.
pugi::xml_node open_svg(pugi::xml_document& document, Place size, const std::string& title);

/// "s0" to "s5": colour class of the line with this number.
std::string series_class(std::size_t line);

pugi::xml_node add_group(pugi::xml_node parent, const std::string& style);
void add_line(pugi::xml_node parent, Place from, Place to, const char* style);
void add_rectangle(pugi::xml_node parent, Place from, Place to, const char* style);
void add_text(pugi::xml_node parent, Place at, const char* style, const std::string& text);
/// The text that a browser shows under the pointer and a screen reader reads.
void add_title(pugi::xml_node parent, const std::string& text);
/// Each line has its own dashes.
void add_polyline(pugi::xml_node parent, const std::vector<Place>& places, std::size_t line);
/// Circle, square, two triangles, diamond or bar, by the line's number.
void add_marker(pugi::xml_node parent, Place at, std::size_t line);
void add_cross(pugi::xml_node parent, Place at, double reach);
void add_ring(pugi::xml_node parent, Place at, double radius);
/// A filled circle through which others can be seen.
void add_disc(pugi::xml_node parent, Place at, double radius);

}  // namespace stepgate
