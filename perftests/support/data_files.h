// Reads the files that ci/fetch_data put into the cache, after checking their SHA-256 against perftests/data/SHA256SUMS
// as of the build of this program. An altered byte would change the measured work.
#pragma once

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// One line of perftests/data/SHA256SUMS.
struct DataFile {
  std::string_view path;    ///< below the data folder, '/' between parts
  std::string_view sha256;  ///< 64 lower-case hexadecimal digits
};

/// The data is missing or altered. The message names the file and ends with the command to try next.
class DataError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Every listed file, in the order of the list.
std::span<const DataFile> listed_data_files();

/// The listed files whose path ends with `suffix`, in the order of the list.
std::vector<DataFile> listed_data_files_ending_with(std::string_view suffix);

/// The bytes of one file. Throws DataError if it is missing, unreadable or different from the list.
std::string read_data_file(const std::filesystem::path& data_dir, const DataFile& file);

/// SHA-256 over the files' digests in the given order: one digest for all data of a workload.
std::string digest_of(std::span<const DataFile> files);

/// SHA-256 of bytes as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace stepgate
