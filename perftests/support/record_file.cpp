#include "support/record_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "support/data_files.h"

namespace stepgate {
namespace {

[[noreturn]] void stop(const std::string& what, const std::filesystem::path& path) {
  throw DataError("training records: cannot " + what + " " + path.string() + " (" + std::strerror(errno) +
                  "); set STEPGATE_CACHE to a folder that can be written");
}

std::string first_line(std::int64_t record_bytes, std::string_view records) {
  return "stepgate-records 1 " + std::to_string(record_bytes) + " " + sha256_hex(records) + "\n";
}

/// Deletes an unfinished file, also after an exception.
class Unfinished {
 public:
  explicit Unfinished(const std::filesystem::path& beside) : name_(beside.string() + ".XXXXXX") {
    descriptor_ = mkostemp(name_.data(), O_CLOEXEC);
    if (descriptor_ < 0) stop("create", name_);
  }
  ~Unfinished() {
    if (descriptor_ >= 0) close(descriptor_);
    unlink(name_.c_str());  // no effect after the rename
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno != EINTR) stop("write", name_);
      if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void finish(const std::filesystem::path& path) {
    if (fsync(descriptor_) != 0) stop("sync", name_);
    if (rename(name_.c_str(), path.c_str()) != 0) stop("rename to", path);
  }

 private:
  std::string name_;
  int descriptor_ = -1;
};

void create_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return;
  errno = error.value();
  stop("create folder", folder);
}

void write_whole(const std::filesystem::path& path, const RecordSource& source) {
  const std::string records = source.make();
  if (records.empty() || records.size() % static_cast<std::size_t>(source.record_bytes) != 0) {
    throw std::invalid_argument("training records: " + std::to_string(records.size()) +
                                " bytes are no whole number of " + std::to_string(source.record_bytes) +
                                " byte records");
  }
  create_folder(source.folder);
  Unfinished file(path);
  file.write(first_line(source.record_bytes, records));
  file.write(records);
  file.finish(path);
}

}  // namespace

RecordFile::RecordFile(const RecordSource& source)
    : path_(source.folder / source.name), record_bytes_(source.record_bytes) {
  if (record_bytes_ < 1) throw std::invalid_argument("training records: a record has at least one byte");
  if (open_existing()) return;
  write_whole(path_, source);
  if (!open_existing()) stop("read back", path_);
}

RecordFile::~RecordFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool RecordFile::open_existing() {
  std::ifstream stream(path_, std::ios::binary);
  std::string line;
  if (!std::getline(stream, line)) return false;
  const std::string records{std::istreambuf_iterator<char>(stream), {}};
  const auto size = static_cast<std::int64_t>(records.size());
  if (line + "\n" != first_line(record_bytes_, records) || size == 0 || size % record_bytes_ != 0) return false;
  descriptor_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  first_ = static_cast<std::int64_t>(line.size()) + 1;
  count_ = size / record_bytes_;
  return descriptor_ >= 0;
}

void RecordFile::read(std::int64_t index, std::span<std::byte> record) const {
  if (index < 0 || index >= count_ || record.size() != static_cast<std::size_t>(record_bytes_)) {
    throw std::out_of_range("training records: no record " + std::to_string(index) + " of " +
                            std::to_string(record.size()) + " bytes in " + path_.string());
  }
  std::int64_t offset = first_ + index * record_bytes_;
  while (!record.empty()) {
    const ssize_t got = pread(descriptor_, record.data(), record.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) stop("read", path_);
    if (got == 0) throw DataError("training records: " + path_.string() + " was cut off while it was read; run again");
    record = record.subspan(static_cast<std::size_t>(got));
    offset += got;
  }
}

}  // namespace stepgate
