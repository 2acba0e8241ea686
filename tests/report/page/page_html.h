// A report page as a parsed document, for its tests: what must hold of every page, whatever it shows.
#pragma once

#include <gtest/gtest.h>

#include <pugixml.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// The page without its style sheet and with void elements closed, so that an XML parser reads it.
inline std::string page_as_xml(std::string html) {
  const auto cut = [&](std::string_view from, std::string_view to) {
    const std::size_t begin = html.find(from);
    html.erase(begin, html.find(to, begin) + to.size() - begin);
  };
  cut("<!DOCTYPE html>", "\n");
  cut("<style>", "</style>");
  for (std::size_t at = html.find("<meta "); at != std::string::npos; at = html.find("<meta ", at + 1)) {
    html.insert(html.find('>', at), "/");
  }
  for (std::size_t at = html.find("<br>"); at != std::string::npos; at = html.find("<br>")) html.insert(at + 3, "/");
  return html;
}

/// Every element with its attributes; texts are left out.
struct PageWalk : pugi::xml_tree_walker {
  std::vector<std::string> elements;
  std::vector<std::string> ids;
  std::vector<std::string> faults;

  bool for_each(pugi::xml_node& node) override {
    if (node.type() != pugi::node_element) return true;
    const std::string name = node.name();
    std::string element = std::string(static_cast<std::size_t>(depth()), ' ') + name;
    for (const char* active : {"script", "style", "iframe", "object", "embed", "form", "img", "link", "base", "use"}) {
      if (name == active) faults.push_back("element " + name);
    }
    for (const pugi::xml_attribute& attribute : node.attributes()) take(attribute, element);
    elements.push_back(element);
    return true;
  }

  void take(const pugi::xml_attribute& attribute, std::string& element) {
    const std::string key = attribute.name();
    const std::string value = attribute.value();
    element += " " + key;
    if (key == "id") ids.push_back(value);
    if (key == "style" || key.starts_with("on") || key == "src" || key == "xlink:href") faults.push_back(key);
    const bool inside = value.starts_with("#");
    if (key == "href" && !inside && !value.starts_with("https://") && !value.starts_with("http://"))
      faults.push_back("href " + value);
  }
};

/// Reads the page and expects of it what holds of every page: well-formed, nothing active, every id once, links and
/// labels lead to ids of the page.
inline PageWalk walk_page(const std::string& html) {
  pugi::xml_document document;
  const std::string xml = page_as_xml(html);
  const auto read = document.load_string(xml.c_str(), pugi::parse_full);
  EXPECT_TRUE(read) << read.description() << " at " << xml.substr(static_cast<std::size_t>(read.offset), 200);
  PageWalk walk;
  document.traverse(walk);
  EXPECT_TRUE(walk.faults.empty()) << walk.faults.front();
  const std::set<std::string> unique(walk.ids.begin(), walk.ids.end());
  EXPECT_EQ(unique.size(), walk.ids.size()) << "an id stands twice";
  for (const auto& link : document.select_nodes("//a[starts-with(@href, '#')]")) {
    EXPECT_TRUE(unique.contains(link.node().attribute("href").value() + 1)) << link.node().attribute("href").value();
  }
  EXPECT_EQ(document.select_nodes("//h1").size(), 1U);
  return walk;
}

}  // namespace stepgate
