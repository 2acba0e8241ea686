#include "system/files/files_together.h"

#include <cerrno>
#include <deque>
#include <system_error>

#include "system/files/file_error.h"
#include "system/files/temporary_file.h"

namespace stepgate {
namespace {

/// It could not be replaced, and that would show only after other files were.
void refuse_folder(const std::filesystem::path& target) {
  std::error_code missing;
  const bool is_folder = std::filesystem::is_directory(std::filesystem::symlink_status(target, missing));
  if (is_folder) throw file_error(ErrorKind::measure, {target, "cannot replace it", EISDIR});
}

}  // namespace

void write_files_together(const std::filesystem::path& folder, const std::vector<NamedText>& files) {
  std::deque<TemporaryFile> written;  // its elements cannot be moved
  for (const NamedText& file : files) {
    const std::filesystem::path target = folder / file.name;
    create_folder_of(target);
    refuse_folder(target);
    TemporaryFile& temporary = written.emplace_back(target);
    temporary.set_permissions_of(target);
    temporary.write(file.text);
    temporary.flush();
  }
  for (TemporaryFile& temporary : written) temporary.replace_target();
}

}  // namespace stepgate
