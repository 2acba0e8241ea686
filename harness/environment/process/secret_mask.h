// Hides secrets of this process's environment in texts that are stored and may become public.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "environment/process/variables.h"

namespace stepgate {

/// True for a name like GITHUB_TOKEN, AWS_SECRET_ACCESS_KEY, DB_PASSWORD, SLURM_JWT.
bool names_a_secret(std::string_view name);

/// Knows the values of variables whose name names a secret, and of those that hold a URL with a password.
class SecretMask {
 public:
  SecretMask() = default;
  explicit SecretMask(const Variables& environment);

  /// `text` with "[NAME]" in the place of each value. Of a value with several lines, as a private key has, each long
  /// line is hidden too. Values shorter than 8 bytes stay: they would hide ordinary words.
  std::string masked(std::string text) const;
  bool is_empty() const { return secrets_.empty(); }

 private:
  struct Secret {
    std::string value;
    std::string name;
  };
  std::vector<Secret> secrets_;  ///< the longest first: one may be part of another
};

}  // namespace stepgate
