#include "launch/staged_builds.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <system_error>

#include "core/error.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const fs::path& path, const std::error_code& why) {
  throw Error(ErrorKind::measure, fmt::format("cannot write {}: {}", path.string(), why.message()),
              "give another folder with --out");
}

/// Written beside and renamed: a copy is whole or absent, also after an interruption.
fs::path staged(const fs::path& folder, const fs::path& program, const std::string& name) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) cannot_write(folder, failed);
  fs::path place = folder / name;
  if (fs::exists(place, failed) && file_digest(place) == file_digest(program)) return place;
  const fs::path partial = folder / (name + ".partial");
  fs::copy_file(program, partial, fs::copy_options::overwrite_existing, failed);
  if (!failed) fs::rename(partial, place, failed);
  if (failed) cannot_write(place, failed);
  return place;
}

}  // namespace

std::string file_digest(const fs::path& file) {
  constexpr std::uint64_t offset_basis = 0xcbf29ce484222325;
  constexpr std::uint64_t prime = 0x100000001b3;
  constexpr std::size_t chunk = 1 << 16;
  std::ifstream stream(file, std::ios::binary);
  std::uint64_t hash = offset_basis;
  std::array<char, chunk> buffer;
  while (stream.read(buffer.data(), buffer.size()) || stream.gcount() > 0) {
    for (std::streamsize i = 0; i < stream.gcount(); ++i) {
      hash = (hash ^ static_cast<unsigned char>(buffer[static_cast<std::size_t>(i)])) * prime;
    }
  }
  if (!stream.eof()) {
    throw Error(ErrorKind::usage, fmt::format("cannot read the program {}", file.string()),
                "build it first, or name another build folder");
  }
  return fmt::format("{:016x}", hash);
}

StagedBuilds stage_builds(const fs::path& folder, const fs::path& base_program, const fs::path& head_program) {
  StagedBuilds builds;
  builds.base_digest = file_digest(base_program);
  builds.head_digest = file_digest(head_program);
  const std::string name = base_program.filename().string();
  builds.base = staged(folder / "base", base_program, name);
  builds.head = staged(folder / "head", head_program, name);
  builds.aa_copy = staged(folder / "twin", base_program, name);
  return builds;
}

}  // namespace stepgate
