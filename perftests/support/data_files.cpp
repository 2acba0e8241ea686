#include "support/data_files.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace stepgate {
namespace {

constexpr auto compiled_in = std::to_array<DataFile>({
#include "stepgate_data_files.inc"  // written by CMake from perftests/data/SHA256SUMS
});

constexpr const char* next_command = "run ci/setup, or name the folder that holds the data with --data DIR";

[[noreturn]] void stop(const std::string& what) { throw DataError(what + "; " + next_command); }

}  // namespace

std::span<const DataFile> listed_data_files() { return compiled_in; }

std::vector<DataFile> listed_data_files_ending_with(std::string_view suffix) {
  std::vector<DataFile> files;
  std::ranges::copy_if(compiled_in, std::back_inserter(files),
                       [&](const DataFile& file) { return file.path.ends_with(suffix); });
  return files;
}

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw DataError("libcrypto offers no SHA-256 here, so no training data can be checked; install OpenSSL 3");
  }
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) {
    hex += digits[digest[i] >> 4U];
    hex += digits[digest[i] & 15U];
  }
  return hex;
}

std::string read_data_file(const std::filesystem::path& data_dir, const DataFile& file) {
  if (data_dir.empty()) stop("this case needs training data, but no data folder was given");
  const std::filesystem::path path = data_dir / file.path;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) stop("training data: cannot read " + path.string() + " (" + std::strerror(errno) + ")");
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad()) stop("training data: reading " + path.string() + " failed half-way");
  const std::string found = sha256_hex(bytes);
  if (found != file.sha256) {
    stop("training data: " + path.string() + " was altered: expected SHA-256 " + std::string(file.sha256) + ", found " +
         found);
  }
  return bytes;
}

std::string digest_of(std::span<const DataFile> files) {
  std::string digests;
  for (const DataFile& file : files) digests.append(file.sha256).append("\n");
  return sha256_hex(digests);
}

}  // namespace stepgate
