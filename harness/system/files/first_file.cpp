#include "system/files/first_file.h"

#include "system/files/temporary_file.h"

namespace stepgate {

bool write_first_file(const std::filesystem::path& path, std::string_view text) {
  create_folder_of(path);
  TemporaryFile file(path);
  file.write(text);
  return file.become_target();
}

}  // namespace stepgate
