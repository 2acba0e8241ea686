// The default folders of the build and of its results.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace stepgate {

/// What messages say about the folders that are looked in.
inline constexpr const char* looked_in = "this folder, build/release, build and the folders of its CMake presets";

/// stepgate-manifest.json of the folder `build`, absolute. Without a folder: that of the current folder, else of the
/// only one among ./build/release, ./build and the binary folders of the CMake presets here; debug builds count only if
/// there is no other. Absent if there is none. Throws Error(usage) that names them if there are several.
std::optional<std::filesystem::path> find_manifest(const std::filesystem::path& build);

/// "stepgate-out" in the folder of the manifest, as gate, CTest and report all use it; here where there is no manifest.
/// Results of an emulated GPU lie beside it, in "stepgate-out-emulated-h100": they take no place of a real result.
std::filesystem::path default_out(const std::filesystem::path& manifest, std::string_view runner_class);

/// Relative where it lies in or below the current folder, else absolute.
std::filesystem::path path_from_here(const std::filesystem::path& path);

}  // namespace stepgate
