// What a measured program runs: its own bytes and those of every library of its build tree that the loader gives it. A
// model is often such a library, and the program beside it stays the same when the model changes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "environment/process/child_environment.h"

namespace stepgate {

struct ProgramBuild {
  std::filesystem::path program;
  std::vector<std::filesystem::path> libraries = {};  ///< each under the name that the loader asks for, by name
};

/// Follows DT_NEEDED through RPATH, RUNPATH and LD_LIBRARY_PATH as the loader does. Libraries outside of `build_tree`
/// and those of LibTorch are left out: the fingerprint names LibTorch, and nobody rebuilds the others. What a program
/// opens at run time (dlopen) is not seen. For a program that stage_build() copied: the libraries beside it. Throws
/// Error(usage) for a library of the build tree whose place no variable can change: by DT_RPATH, or by its path.
ProgramBuild program_build(const std::filesystem::path& program, const std::filesystem::path& build_tree);

/// Digest over the program and its libraries; that of the program alone (file_digest) where it has none.
/// Throws Error(usage) where one cannot be read.
std::string build_digest(const ProgramBuild& build);

/// The folder with the libraries of a copied program.
std::filesystem::path library_folder(const std::filesystem::path& program);

/// `environment` for a process of `program`: for a copied one, LD_LIBRARY_PATH leads to the copies first.
Variables with_own_libraries(Variables environment, const std::filesystem::path& program);

/// 16 hexadecimal digits of the 64-bit FNV-1a hash (Fowler, Noll, Vo) of the file's bytes.
/// Throws Error(usage) where it cannot be read.
std::string file_digest(const std::filesystem::path& file);

/// file_digest() of a document or another text. One that is larger than a text may be (system/files/file.h) is refused
/// before it is read: gigabytes of zeros would take seconds.
std::string text_file_digest(const std::filesystem::path& file);

/// file_digest() of the program that runs. It is read once a process: a running program cannot be written to.
const std::string& own_program_digest();

}  // namespace stepgate
