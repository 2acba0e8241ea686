// Id and title of a drawing on a report page.
#pragma once

#include <string>

namespace stepgate {

/// Every id of a page is made of this one: unique within the page.
struct ChartName {
  std::string id;
  std::string title;
};

}  // namespace stepgate
