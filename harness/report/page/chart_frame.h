// An svg element inside an HTML page, named for screen readers.
#pragma once

#include <memory>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "report/page/chart_name.h"
#include "report/page/page_model.h"
#include "report/plot/svg_shapes.h"

namespace stepgate {

struct ChartFrame {
  std::unique_ptr<pugi::xml_document> document;
  pugi::xml_node svg;
};

/// `sentence`: what the drawing shows, with its numbers. No style sheet: the page's own colours it.
ChartFrame open_chart(const ChartName& name, Place size, const std::string& sentence);

/// Puts title and sentence first into an svg element, with role, ids and the attribute that refers to them.
void name_chart(pugi::xml_node svg, const ChartName& name, const std::string& sentence);

/// A class of the style sheet in the colour of the tone: "point bad".
std::string tone_class(std::string_view shape, Tone tone);

/// What was measured now.
void add_diamond(pugi::xml_node parent, Place centre, Tone tone);

/// The element as text, on one line.
std::string chart_text(const ChartFrame& frame);

}  // namespace stepgate
