#include "report/page/source_link.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/source_text.h"
#include "report/gate/repository_path.h"

namespace stepgate {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

/// A host name, a port and a path; a user name before an '@' or a query could hide where the link leads.
bool is_plain_address(const std::string& url) {
  const std::size_t scheme = url.starts_with("https://") ? 8 : url.starts_with("http://") ? 7 : 0;
  return scheme > 0 && url.size() > scheme &&
         std::all_of(url.begin() + static_cast<std::ptrdiff_t>(scheme), url.end(),
                     [](char c) { return is_plain(c) || c == '/' || c == ':'; });
}

bool is_commit(const std::string& commit) {
  return commit.size() >= 7 && std::all_of(commit.begin(), commit.end(),
                                           [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::string encoded_path(const std::string& path) {
  std::string text;
  for (char c : path) {
    text += is_plain(c) || c == '/' ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

}  // namespace

PageLink source_link(const SourceFrame& frame, const PublishedCode& code) {
  PageLink link{.text = source_text(frame)};
  if (frame.line <= 0 || !is_repository_path(frame.file) || !is_commit(code.commit)) return link;
  if (!is_plain_address(code.repository_url)) return link;
  link.url = fmt::format("{}/blob/{}/{}#L{}", code.repository_url, code.commit, encoded_path(frame.file), frame.line);
  return link;
}

std::vector<PageLink> source_links(const std::vector<SourceFrame>& frames, const PublishedCode& code) {
  std::vector<PageLink> links;
  for (const SourceFrame& frame : frames) {
    if (PageLink link = source_link(frame, code); !link.text.empty()) links.push_back(std::move(link));
  }
  return links;
}

}  // namespace stepgate
