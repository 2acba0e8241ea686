#include "json/records/passes/observed_work_value.h"

#include <array>
#include <charconv>

namespace stepgate {
namespace {

constexpr std::array frame_sources = {FramesFrom::nothing, FramesFrom::symbols, FramesFrom::lines};

std::optional<FramesFrom> frames_from_named(std::string_view name) {
  for (const FramesFrom from : frame_sources) {
    if (name == name_of(from)) return from;
  }
  return std::nullopt;
}

std::vector<std::int64_t> contiguous_strides(const std::vector<std::int64_t>& sizes) {
  std::vector<std::int64_t> strides(sizes.size());
  std::int64_t stride = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<std::int64_t>(sizes[i], 1);
  }
  return strides;
}

std::string list_text(const std::vector<std::int64_t>& numbers) {
  std::string text = "[";
  for (const std::int64_t number : numbers) text += (text.size() > 1 ? "," : "") + std::to_string(number);
  return text + "]";
}

/// On one line, since a record has thousands: "float32[8,64]", "float32[8,64]/[1,8] aten::t". Strides are left out
/// where the tensor is contiguous.
std::string tensor_text(const ObservedTensor& tensor) {
  std::string text = tensor.dtype + list_text(tensor.sizes);
  if (tensor.strides != contiguous_strides(tensor.sizes)) text += "/" + list_text(tensor.strides);
  return tensor.from.empty() ? text : text + " " + tensor.from;
}

Json tensor_texts(const std::vector<ObservedTensor>& tensors) {
  Json texts = Json::array();
  for (const ObservedTensor& tensor : tensors) texts.push_back(tensor_text(tensor));
  return texts;
}

/// Reads one part of a tensor's text after the other.
class TensorText {
 public:
  explicit TensorText(const Reader& reader) : reader_(reader), text_(reader.text()), rest_(text_) {}

  std::string until(char end) {
    const std::size_t length = std::min(rest_.find(end), rest_.size());
    std::string part(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return part;
  }

  bool skip(char expected) {
    if (rest_.empty() || rest_.front() != expected) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::vector<std::int64_t> list() {
    if (!skip('[')) refuse();
    std::vector<std::int64_t> numbers;
    while (!skip(']')) {
      if (!numbers.empty() && !skip(',')) refuse();
      numbers.push_back(number());
    }
    return numbers;
  }

  std::string rest() const { return std::string(rest_); }
  bool at_end() const { return rest_.empty(); }
  [[noreturn]] void refuse() const { reader_.expected("a tensor such as \"float32[8,64]/[1,8] aten::t\""); }

 private:
  std::int64_t number() {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) refuse();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  const Reader& reader_;
  std::string text_;
  std::string_view rest_;
};

ObservedTensor tensor_at(const Reader& reader) {
  TensorText text(reader);
  ObservedTensor tensor;
  tensor.dtype = text.until('[');
  tensor.sizes = text.list();
  tensor.strides = text.skip('/') ? text.list() : contiguous_strides(tensor.sizes);
  if (tensor.dtype.empty() || tensor.strides.size() != tensor.sizes.size()) text.refuse();
  if (text.at_end()) return tensor;
  if (!text.skip(' ')) text.refuse();
  tensor.from = text.rest();
  return tensor;
}

std::uint64_t offset_at(const Reader& reader) {
  const std::string text = reader.text();
  std::uint64_t offset = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), offset, 16);
  if (error != std::errc() || end != text.data() + text.size()) reader.expected("a hexadecimal address");
  return offset;
}

std::string hexadecimal(std::uint64_t offset) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), offset, 16).ptr;
  return {digits.data(), end};
}

void add_count(Json& value, const char* key, std::int64_t count) {
  if (count != 0) value[key] = count;
}

std::int64_t count_or_0(Reader& reader, const char* key) {
  const auto found = reader.find(key);
  return found ? found->count() : 0;
}

std::string text_or_empty(Reader& reader, const char* key) {
  const auto found = reader.find(key);
  return found ? found->text() : "";
}

}  // namespace

Json value_of(const SourceFrame& frame) {
  Json value = {{"function", frame.function}};
  if (!frame.file.empty()) value["file"] = frame.file;
  add_count(value, "line", frame.line);
  return value;
}

SourceFrame source_frame_at(Reader reader) {
  return {.function = reader.at("function").text(),
          .file = text_or_empty(reader, "file"),
          .line = count_or_0(reader, "line")};
}

Json value_of(const CodePlace& place) {
  Json value = {{"offsets", Json::array()}};
  for (const std::uint64_t offset : place.offsets) value["offsets"].push_back(hexadecimal(offset));
  if (place.frames.empty()) return value;
  Json& frames = value["frames"] = Json::array();
  for (const SourceFrame& frame : place.frames) frames.push_back(value_of(frame));
  return value;
}

CodePlace code_place_at(Reader reader) {
  CodePlace place{.offsets = reader.at("offsets").list_of(offset_at)};
  if (const auto frames = reader.find("frames")) place.frames = frames->list_of(source_frame_at);
  return place;
}

Json value_of(const OperatorSite& site) {
  Json value = {{"boundary", site.boundary}, {"name", site.name}};
  if (!site.parent.empty()) value["parent"] = site.parent;
  if (!site.callers.empty()) value["callers"] = site.callers;
  if (site.place) value["place"] = *site.place;
  if (site.for_forward) value["for_forward"] = true;
  if (!site.inputs.empty()) value["inputs"] = tensor_texts(site.inputs);
  if (!site.outputs.empty()) value["outputs"] = tensor_texts(site.outputs);
  if (!site.arguments.empty()) value["arguments"] = site.arguments;
  value["calls"] = site.calls;
  add_count(value, "leaf_calls", site.leaf_calls);
  add_count(value, "flops", site.flops);
  add_count(value, "misaligned_flops", site.misaligned_flops);
  if (!site.has_formula) value["has_formula"] = false;
  add_count(value, "bytes", site.bytes);
  add_count(value, "copied_bytes", site.copied_bytes);
  add_count(value, "allocated_bytes", site.allocated_bytes);
  add_count(value, "saved_bytes", site.saved_bytes);
  add_count(value, "self_ns", site.self_ns);
  add_count(value, "total_ns", site.total_ns);
  return value;
}

OperatorSite operator_site_at(Reader reader) {
  OperatorSite site{.boundary = reader.at("boundary").text(),
                    .name = reader.at("name").text(),
                    .parent = text_or_empty(reader, "parent")};
  if (const auto callers = reader.find("callers")) site.callers = callers->texts();
  if (const auto place = reader.find("place")) site.place = static_cast<std::size_t>(place->count());
  if (const auto backward = reader.find("for_forward")) site.for_forward = backward->boolean();
  if (const auto inputs = reader.find("inputs")) site.inputs = inputs->list_of(tensor_at);
  if (const auto outputs = reader.find("outputs")) site.outputs = outputs->list_of(tensor_at);
  if (const auto arguments = reader.find("arguments")) site.arguments = arguments->texts();
  site.calls = reader.at("calls").count();
  site.leaf_calls = count_or_0(reader, "leaf_calls");
  site.flops = count_or_0(reader, "flops");
  site.misaligned_flops = count_or_0(reader, "misaligned_flops");
  const auto formula = reader.find("has_formula");
  site.has_formula = !formula || formula->boolean();
  site.bytes = count_or_0(reader, "bytes");
  site.copied_bytes = count_or_0(reader, "copied_bytes");
  site.allocated_bytes = count_or_0(reader, "allocated_bytes");
  site.saved_bytes = count_or_0(reader, "saved_bytes");
  site.self_ns = count_or_0(reader, "self_ns");
  site.total_ns = count_or_0(reader, "total_ns");
  return site;
}

Json value_of(const ObservedWork& work) {
  Json value = {{"steps", work.steps}};
  if (work.by_shape) value["by_shape"] = true;
  if (!work.build_id.empty()) value["build_id"] = work.build_id;
  if (!work.not_lines.empty()) value["not_lines"] = work.not_lines;
  value["frames_from"] = name_of(work.frames_from);
  Json& places = value["places"] = Json::array();
  for (const CodePlace& place : work.places) places.push_back(value_of(place));
  Json& sites = value["sites"] = Json::array();
  for (const OperatorSite& site : work.sites) sites.push_back(value_of(site));
  return value;
}

ObservedWork observed_work_at(Reader reader) {
  ObservedWork work{.steps = reader.at("steps").count()};
  if (const auto by_shape = reader.find("by_shape")) work.by_shape = by_shape->boolean();
  work.build_id = text_or_empty(reader, "build_id");
  work.not_lines = text_or_empty(reader, "not_lines");
  work.frames_from = reader.at("frames_from").one_of(frames_from_named, "nothing, symbols, lines");
  work.places = reader.at("places").list_of(code_place_at);
  const std::size_t places = work.places.size();
  work.sites = reader.at("sites").list_of([&](Reader site) {
    OperatorSite read = operator_site_at(site);
    if (read.place && *read.place >= places) site.at("place").expected("a position in places");
    return read;
  });
  return work;
}

}  // namespace stepgate
