// The address at which a reader can look at a line of the code in a browser.
#pragma once

#include <string>
#include <vector>

#include "core/code_place.h"
#include "report/page/page_model.h"

namespace stepgate {

/// The place where the measured code is published. Both are "" if that is unknown: then places are texts.
struct PublishedCode {
  std::string repository_url = {};  ///< "https://github.example/team/project"
  std::string commit = {};
};

/// A link only for a line of a file in the repository (repository_path.h), a commit that is a plain id, and an http(s)
/// address without a query; every other character of the path is percent-encoded.
PageLink source_link(const SourceFrame& frame, const PublishedCode& code);
std::vector<PageLink> source_links(const std::vector<SourceFrame>& frames, const PublishedCode& code);

}  // namespace stepgate
