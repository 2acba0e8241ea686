#include "report/markdown/markdown_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "core/text/number_format.h"

namespace stepgate {
namespace {

/// Room for the sentence on what was left out: a few nouns with counts; its length is checked after it is made.
constexpr std::size_t sentence_bytes = 600;

std::size_t frame_bytes(const MarkdownPart& part) { return part.opening.size() + part.closing.size(); }

std::size_t whole_bytes(const std::vector<MarkdownPart>& parts) {
  std::size_t bytes = 0;
  for (const MarkdownPart& part : parts) {
    bytes += frame_bytes(part);
    for (const std::string& item : part.items) bytes += item.size();
  }
  return bytes;
}

/// How many items of a part are shown; absent parts have no frame either.
struct Shown {
  bool frame = false;
  std::size_t items = 0;
};

Shown shown_of(const MarkdownPart& part, std::size_t& left) {
  const bool always = part.rank == 0;
  std::size_t room = static_cast<std::size_t>(static_cast<double>(left) * part.share);
  const std::size_t least = frame_bytes(part) + (part.items.empty() ? 0 : part.items.front().size());
  if (!always && least > room) return {};
  Shown shown{true, 0};
  std::size_t used = frame_bytes(part);
  while (shown.items < part.items.size() && (always || used + part.items[shown.items].size() <= room)) {
    used += part.items[shown.items++].size();
  }
  left -= std::min(left, used);
  return shown;
}

std::vector<Shown> choose(const std::vector<MarkdownPart>& parts, std::size_t max_bytes) {
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return parts[a].rank < parts[b].rank; });
  std::vector<Shown> shown(parts.size());
  std::size_t left = max_bytes - std::min(max_bytes, sentence_bytes);
  for (std::size_t index : order) shown[index] = shown_of(parts[index], left);
  return shown;
}

std::string joined(const MarkdownPart& part, const Shown& shown) {
  if (!shown.frame) return "";
  std::string text = part.opening;
  for (std::size_t i = 0; i < shown.items; ++i) text += part.items[i];
  return text + part.closing;
}

std::string left_out(const std::vector<MarkdownPart>& parts, const std::vector<Shown>& shown) {
  std::map<std::string, std::size_t> missing;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t all = std::max<std::size_t>(1, parts[i].items.size());
    const std::size_t there = parts[i].items.empty() ? (shown[i].frame ? 1 : 0) : shown[i].items;
    if (there < all) missing[parts[i].noun] += all - there;
  }
  std::string text;
  for (const auto& [noun, count] : missing) {
    text += (text.empty() ? "" : ", ") + counted(count, noun);
  }
  return text;
}

}  // namespace

std::string fitted(const std::vector<MarkdownPart>& parts, std::size_t max_bytes, const std::string& elsewhere) {
  std::vector<Shown> shown;
  if (whole_bytes(parts) <= max_bytes) {
    for (const MarkdownPart& part : parts) shown.push_back({true, part.items.size()});
  } else {
    shown = choose(parts, max_bytes);
  }
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) text += joined(parts[i], shown[i]);
  const std::string missing = left_out(parts, shown);
  if (missing.empty()) return text;
  const std::string sentence =
      fmt::format("\nLeft out, to stay below {} bytes: {}. {}\n", max_bytes, missing, elsewhere);
  return text.size() + sentence.size() <= max_bytes ? text + sentence : text;
}

}  // namespace stepgate
