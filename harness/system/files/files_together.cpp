#include "system/files/files_together.h"

#include <deque>

#include "system/files/temporary_file.h"

namespace stepgate {

void write_files_together(const std::filesystem::path& folder, const std::vector<NamedText>& files) {
  std::deque<TemporaryFile> written;  // its elements cannot be moved
  for (const NamedText& file : files) {
    const std::filesystem::path target = folder / file.name;
    create_folder_of(target);
    TemporaryFile& temporary = written.emplace_back(target);
    temporary.set_permissions_of(target);
    temporary.write(file.text);
    temporary.flush();
  }
  for (TemporaryFile& temporary : written) temporary.replace_target();
}

}  // namespace stepgate
