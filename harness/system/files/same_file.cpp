#include "system/files/same_file.h"

namespace stepgate {

bool is_same_file(const struct stat& left, const struct stat& right) {
  return left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

bool is_still_named(const Descriptor& opened, const std::filesystem::path& name) {
  struct stat file {};
  struct stat named {};
  return ::fstat(opened.number(), &file) == 0 && ::stat(name.c_str(), &named) == 0 && is_same_file(file, named);
}

}  // namespace stepgate
