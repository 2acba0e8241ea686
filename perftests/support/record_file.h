// Samples of equal size in one file, read one at a time with pread, as a record loader does.
//
// The file is one line of text, "stepgate-records 1 <bytes per record> <SHA-256 of all records>", followed by the
// records. It is made from other data, so it may be deleted at any time; a damaged file is made again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace stepgate {

/// A file of records, and the function that makes it if it is missing.
struct RecordSource {
  std::filesystem::path folder;  ///< created with its parents, for this user only
  std::string name;              ///< of the file; must contain the digest of its source, so that old files are not used
  std::int64_t record_bytes = 0;
  std::function<std::string()> make;  ///< returns all records, one after the other
};

/// An open file of records. Reading is const and safe from many threads at once.
class RecordFile {
 public:
  /// Opens the file of the source; makes it first if it is missing or does not match its first line. A temporary file
  /// is written, synced and renamed, so the file is complete or absent even if two processes make it at once. Throws
  /// DataError naming the file if that fails.
  explicit RecordFile(const RecordSource& source);
  ~RecordFile();
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  std::int64_t count() const { return count_; }

  /// Reads record `index` into `record`, which has the size of one record. Throws DataError if the file is too short,
  /// std::out_of_range for an index beyond the records.
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
