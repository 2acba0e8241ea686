// What the file package.txt beside a compiled package says of it. ci/compile_case writes it, one fact a line:
//   torch 2.11.0                               the LibTorch that it was compiled against
//   digest 6f1c...                             SHA-256 of the generated sources and of how they are compiled
//   seconds 112                                what it took to export and compile it
//   input float32 98 128                       one line for each tensor that it takes, in order: type and sizes
//   input int64 rows=2..64 length=2..256       sizes with a name may vary; one name has one size in a call
//   weight norm_bias float32 128               one line for each tensor that it reads where its user keeps it
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// A size that the package takes.
struct PackageSize {
  PackageSize(std::int64_t fixed) : least(fixed), most(fixed) {}
  PackageSize(std::int64_t from, std::int64_t to, std::string called)
      : least(from), most(to), name(std::move(called)) {}

  std::int64_t least;
  std::int64_t most;
  std::string name = {};  ///< "" for a fixed size

  bool operator==(const PackageSize&) const = default;
};

/// What a package takes for one tensor.
struct PackageTensor {
  std::string dtype;  ///< "float32" or "int64"
  std::vector<PackageSize> sizes;

  bool operator==(const PackageTensor&) const = default;
};

struct PackageWeight {
  std::string name;
  PackageTensor tensor;

  bool operator==(const PackageWeight&) const = default;
};

struct PackageFacts {
  std::string torch;
  std::string digest;
  std::optional<std::int64_t> seconds = std::nullopt;  ///< absent in files of older versions
  std::vector<PackageTensor> inputs;
  std::vector<PackageWeight> weights = {};
};

/// Throws std::invalid_argument naming the line that it cannot read.
PackageFacts package_facts(std::string_view text);

/// "float32 (98, 128)", "int64 (rows=2..64, length=2..256)".
std::string text_of(const PackageTensor& tensor);

/// A tensor that was given to a package. It refers to the sizes.
struct GivenTensor {
  std::string_view dtype;
  std::span<const std::int64_t> sizes;
  bool contiguous = true;
};

/// "" where the package takes these tensors as its inputs, else one sentence about the first that it does not take.
/// Allocates nothing where all fit.
std::string refusal_of_inputs(const PackageFacts& facts, std::span<const GivenTensor> tensors);

/// Likewise for one weight; `given` is what its user keeps.
std::string refusal_of_weight(const PackageWeight& weight, const GivenTensor& given);

}  // namespace stepgate
