#include "measure/passes/exact/folder_count.h"

#include <algorithm>
#include <system_error>

namespace stepgate {
namespace {

namespace fs = std::filesystem;

std::int64_t regular_bytes(const fs::directory_entry& entry) {
  std::error_code gone;
  if (!fs::is_regular_file(entry.symlink_status(gone)) || gone) return 0;
  const auto size = entry.file_size(gone);
  return gone ? 0 : static_cast<std::int64_t>(size);
}

/// Calls `use` for each entry that counts. True where it saw all of them.
template <typename Use>
bool walk_folder(const FolderQuestion& question, Use use) {
  std::error_code error;
  fs::recursive_directory_iterator at(question.folder, fs::directory_options::skip_permission_denied, error);
  if (error) return false;
  std::int64_t seen = 0;
  for (; at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (error) return true;  // a folder vanished meanwhile
    const fs::path& path = at->path();
    const bool is_left_out =
        std::find(question.left_out.begin(), question.left_out.end(), path) != question.left_out.end();
    const bool is_hidden = path.filename().native().starts_with('.');
    if (is_left_out || at.depth() + 1 >= question.depth || (is_hidden && !question.enters_hidden)) {
      at.disable_recursion_pending();
    }
    if (is_left_out) continue;
    if (++seen > question.most_entries) return false;
    use(*at);
  }
  return true;
}

std::string name_in(const FolderQuestion& question, const fs::directory_entry& entry) {
  return entry.path().lexically_relative(question.folder).string();
}

}  // namespace

FolderCount count_folder(const FolderQuestion& question) {
  FolderCount count;
  count.is_complete = walk_folder(question, [&](const fs::directory_entry& entry) {
    ++count.entries;
    count.bytes += regular_bytes(entry);
  });
  return count;
}

HeldThings entries_by_name(const FolderQuestion& question) {
  HeldThings things;
  walk_folder(question, [&](const fs::directory_entry& entry) { things[{"", name_in(question, entry)}] = 1; });
  return things;
}

HeldThings bytes_by_name(const FolderQuestion& question) {
  HeldThings things;
  walk_folder(question, [&](const fs::directory_entry& entry) {
    things[{"", name_in(question, entry)}] = regular_bytes(entry);
  });
  return things;
}

}  // namespace stepgate
