#include "compiled/package_facts.h"

#include <charconv>
#include <sstream>
#include <stdexcept>

namespace stepgate {
namespace {

constexpr const char* expected_layout = ", contiguous, and was given ";

std::invalid_argument bad_line(const char* what, const std::string& line) {
  return std::invalid_argument(std::string("package.txt: ") + what + ": \"" + line + "\"");
}

/// The whole number that is all of `text`.
std::int64_t number_in(std::string_view text, const std::string& line) {
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size() || number < 0)
    throw bad_line("a size that is no number", line);
  return number;
}

/// "98", or "length=2..256".
PackageSize size_in(const std::string& word, const std::string& line) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) return number_in(word, line);
  const std::size_t dots = word.find("..", equals);
  if (dots == std::string::npos) throw bad_line("a named size without a range", line);
  const std::string_view text = word;
  return {number_in(text.substr(equals + 1, dots - equals - 1), line), number_in(text.substr(dots + 2), line),
          word.substr(0, equals)};
}

PackageTensor tensor_in(std::istringstream& words, const std::string& line) {
  PackageTensor tensor;
  if (!(words >> tensor.dtype)) throw bad_line("a line without a value", line);
  for (std::string word; words >> word;) tensor.sizes.push_back(size_in(word, line));
  return tensor;
}

std::string word_in(std::istringstream& words, const std::string& line) {
  std::string word;
  if (!(words >> word)) throw bad_line("a line without a value", line);
  return word;
}

std::string text_of(const PackageSize& size) {
  if (size.name.empty()) return std::to_string(size.least);
  return size.name + "=" + std::to_string(size.least) + ".." + std::to_string(size.most);
}

std::string text_of(const GivenTensor& tensor) {
  std::string text(tensor.dtype);
  text += " (";
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(tensor.sizes[i]);
  return text + (tensor.contiguous ? ")" : "), not contiguous");
}

bool fits_tensor(const PackageTensor& wanted, const GivenTensor& given) {
  if (given.dtype != wanted.dtype || !given.contiguous || given.sizes.size() != wanted.sizes.size()) return false;
  for (std::size_t i = 0; i < wanted.sizes.size(); ++i) {
    if (given.sizes[i] < wanted.sizes[i].least || given.sizes[i] > wanted.sizes[i].most) return false;
  }
  return true;
}

/// The size of that name in the first tensor that has one. All tensors have as many sizes as the package wants.
std::int64_t size_named(const PackageFacts& facts, std::span<const GivenTensor> tensors, const std::string& name) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::vector<PackageSize>& sizes = facts.inputs[i].sizes;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      if (sizes[k].name == name) return tensors[i].sizes[k];
    }
  }
  return 0;
}

/// Of tensors that fit one by one: "" where each name has one size in all of them.
std::string refusal_of_names(const PackageFacts& facts, std::span<const GivenTensor> tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::vector<PackageSize>& sizes = facts.inputs[i].sizes;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      if (sizes[k].name.empty()) continue;
      const std::int64_t first = size_named(facts, tensors, sizes[k].name);
      if (tensors[i].sizes[k] == first) continue;
      return "input " + std::to_string(i) + ": " + sizes[k].name + " is " + std::to_string(tensors[i].sizes[k]) +
             ", and in an earlier input it is " + std::to_string(first) +
             ": the package takes one size of that name in a call";
    }
  }
  return "";
}

}  // namespace

PackageFacts package_facts(std::string_view text) {
  PackageFacts facts;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key;
    words >> key;
    if (key == "torch") {
      facts.torch = word_in(words, line);
    } else if (key == "digest") {
      facts.digest = word_in(words, line);
    } else if (key == "seconds") {
      facts.seconds = number_in(word_in(words, line), line);
    } else if (key == "input") {
      facts.inputs.push_back(tensor_in(words, line));
    } else if (key == "weight") {
      std::string name = word_in(words, line);
      facts.weights.push_back({.name = std::move(name), .tensor = tensor_in(words, line)});
    } else {
      throw bad_line("an unknown line", line);
    }
  }
  return facts;
}

std::string text_of(const PackageTensor& tensor) {
  std::string text = tensor.dtype + " (";
  for (std::size_t i = 0; i < tensor.sizes.size(); ++i) text += (i == 0 ? "" : ", ") + text_of(tensor.sizes[i]);
  return text + ")";
}

std::string refusal_of_inputs(const PackageFacts& facts, std::span<const GivenTensor> tensors) {
  if (tensors.size() != facts.inputs.size()) {
    return "the package was compiled for " + std::to_string(facts.inputs.size()) + " tensors and was given " +
           std::to_string(tensors.size());
  }
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (fits_tensor(facts.inputs[i], tensors[i])) continue;
    return "input " + std::to_string(i) + ": the package was compiled for " + text_of(facts.inputs[i]) +
           expected_layout + text_of(tensors[i]) + ": pad the batch to that shape, or compile a package for this one";
  }
  return refusal_of_names(facts, tensors);
}

std::string refusal_of_weight(const PackageWeight& weight, const GivenTensor& given) {
  if (fits_tensor(weight.tensor, given)) return "";
  return "weight " + weight.name + ": the package was compiled for " + text_of(weight.tensor) + expected_layout +
         text_of(given) + ": the model of the package is another one";
}

}  // namespace stepgate
