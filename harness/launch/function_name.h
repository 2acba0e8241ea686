// Shortens a demangled C++ name to what a person looks for.
#pragma once

#include <string>
#include <string_view>

namespace stepgate {

/// "void stepgate::(anonymous namespace)::CharLm::forward(at::Tensor const&) const [clone .cold]" is "CharLm::forward":
/// without result, parameters, qualifiers, anonymous namespaces and namespace stepgate, since the harness's own frames
/// are left out anyway. A lambda is "CharLm::forward::{lambda}". At most 200 characters.
std::string function_name(std::string_view demangled);

/// The same with namespace stepgate.
std::string qualified_name(std::string_view demangled);

/// qualified_name() of a mangled symbol of g++ or clang++; other names stay, and so do symbols that would need
/// megabytes.
std::string qualified_name_of_symbol(const std::string& symbol);

}  // namespace stepgate
