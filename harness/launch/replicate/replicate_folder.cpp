#include "launch/replicate/replicate_folder.h"

#include <unistd.h>

#include <string>

#include "system/fnv_hash.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// A short path: the name of a socket in it has at most 107 characters.
fs::path place_of(const Variables& variables, const fs::path& record) {
  const auto named = variables.find("TMPDIR");
  const fs::path parent = named == variables.end() || named->second.empty() ? "/tmp" : fs::path(named->second);
  std::error_code missing;
  if (!fs::is_directory(parent, missing) || ::access(parent.c_str(), W_OK | X_OK) != 0) return record;
  FnvHash hash;
  hash.add(fs::absolute(record).native());
  return parent / ("stepgate-" + hex_text(hash));
}

}  // namespace

ReplicateFolder::ReplicateFolder(const Variables& variables, const fs::path& record)
    : folder_(place_of(variables, record), "tmp") {}

Variables ReplicateFolder::with_folder(Variables variables) const {
  for (const char* name : {"TMPDIR", "TMP", "TEMP"}) variables[name] = path().string();
  return variables;
}

}  // namespace stepgate
