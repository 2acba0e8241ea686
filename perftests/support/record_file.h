// Samples of equal size in one file, read one at a time with pread: what a record loader does.
//
// The file is one line of text, "stepgate-records 1 <bytes per record> <SHA-256 of all records>", and the records
// behind each other. It is made from other data, so it may be deleted at any time; one that is damaged is made again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace stepgate {

/// A file of records, and how to make it where it is missing.
struct RecordSource {
  std::filesystem::path folder;  ///< created with its parents, for this user only
  std::string name;  ///< of the file; must name the digest of what it is made from, so that old files are passed over
  std::int64_t record_bytes = 0;
  std::function<std::string()> make;  ///< all records behind each other
};

/// An open file of records. Reading is const and safe from many threads at once.
class RecordFile {
 public:
  /// Opens the file of the source; makes it first where it is missing or not what its first line says. Written to a
  /// temporary file beside it, synced and renamed: whole or absent, also where two processes do so at once.
  /// Throws DataError naming the file where that fails.
  explicit RecordFile(const RecordSource& source);
  ~RecordFile();
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  std::int64_t count() const { return count_; }

  /// Reads record `index` into `record`, which has the size of one. Throws DataError where the file gives less,
  /// std::out_of_range for an index that it does not have.
  void read(std::int64_t index, std::span<std::byte> record) const;

 private:
  bool open_existing();

  std::filesystem::path path_;
  std::int64_t record_bytes_;
  std::int64_t first_ = 0;  ///< offset of record 0 in bytes
  std::int64_t count_ = 0;
  int descriptor_ = -1;
};

}  // namespace stepgate
