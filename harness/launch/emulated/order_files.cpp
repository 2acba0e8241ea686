#include "launch/emulated/order_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// "" for the file of the first process, ".rank1", ".4242".
std::string ending_of(const fs::path& file, const fs::path& order) {
  return file.filename().string().substr(order.filename().string().size());
}

bool is_process_number(std::string_view ending) {
  if (!ending.starts_with('.') || ending.size() == 1) return false;
  return ending.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

/// By size, then by text.
std::vector<fs::path> numbered_files(const fs::path& order) {
  std::vector<std::pair<std::string, fs::path>> found;
  for (const fs::path& file : order_files(order)) {
    if (!is_process_number(ending_of(file, order))) continue;
    found.emplace_back(read_text_file(file, ErrorKind::measure), file);
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.first.size() != b.first.size() ? a.first.size() < b.first.size() : a.first < b.first;
  });
  std::vector<fs::path> files;
  for (auto& [text, file] : found) files.push_back(std::move(file));
  return files;
}

}  // namespace

std::vector<fs::path> order_files(const fs::path& order) {
  const std::string name = order.filename().string();
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator at(order.parent_path(), failed); !failed && at != fs::directory_iterator();
       at.increment(failed)) {
    if (at->path().filename().string().starts_with(name)) files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void remove_order_files(const fs::path& order) {
  std::error_code kept;
  for (const fs::path& file : order_files(order)) fs::remove(file, kept);
}

std::vector<OrderPair> named_pairs(const fs::path& one, const fs::path& other) {
  std::map<std::string, OrderPair> pairs;
  for (const auto& [order, side] : {std::pair(one, &OrderPair::one), std::pair(other, &OrderPair::other)}) {
    for (const fs::path& file : order_files(order)) {
      const std::string ending = ending_of(file, order);
      if (!is_process_number(ending)) pairs[ending].*side = file;
    }
  }
  std::vector<OrderPair> found;
  for (auto& [ending, pair] : pairs) found.push_back(std::move(pair));
  return found;
}

std::vector<OrderPair> numbered_pairs(const fs::path& one, const fs::path& other) {
  std::vector<fs::path> of_one = numbered_files(one);
  std::vector<fs::path> of_other = numbered_files(other);
  if (of_one.size() != of_other.size()) {
    throw Error(
        ErrorKind::measure,
        fmt::format("{} of its processes without a rank gave the GPU work in one run, and {} in another one: which of "
                    "them to compare is not known",
                    of_one.size(), of_other.size()),
        "give each process that it starts a number in RANK");
  }
  std::vector<OrderPair> pairs;
  for (std::size_t at = 0; at < of_one.size(); ++at) {
    pairs.push_back({std::move(of_one[at]), std::move(of_other[at])});
  }
  return pairs;
}

}  // namespace stepgate
