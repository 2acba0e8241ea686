#include "emulator/hazards/hazard_origins.h"

#include <algorithm>
#include <utility>

#include "emulator/machine/program_offsets.h"

namespace stepgate::emulator {
namespace {

/// Own choice: a step has some thousand operators, and its backward comes soon.
constexpr std::size_t most_forward_places = 100'000;

}  // namespace

void HazardOrigins::begin_operator(std::uint64_t thread, OperatorCall call) {
  frames_[thread].push_back({std::move(call)});
}

void HazardOrigins::end_operator(std::uint64_t thread) {
  std::vector<Frame>& frames = frames_[thread];
  if (!frames.empty()) frames.pop_back();
}

bool HazardOrigins::add_kernel(std::uint64_t thread, const KernelStream& stream) {
  const auto found = frames_.find(thread);
  if (found == frames_.end() || found->second.empty()) return false;
  std::vector<KernelStream>& streams = found->second.back().streams;
  if (std::find(streams.begin(), streams.end(), stream) == streams.end()) streams.push_back(stream);
  return true;
}

std::vector<KernelStream> HazardOrigins::streams_of_operator(std::uint64_t thread) const {
  const auto found = frames_.find(thread);
  if (found == frames_.end() || found->second.empty()) return {};
  return found->second.back().streams;
}

std::uint32_t HazardOrigins::number_of(std::uint64_t thread) {
  const auto found = frames_.find(thread);
  const bool is_in_operator = found != frames_.end() && !found->second.empty();
  const OperatorCall call = is_in_operator ? found->second.back().call : OperatorCall();
  const auto forward = call.forward_of == 0 ? forward_offsets_.end() : forward_offsets_.find(call.forward_of);
  HazardOrigin origin;
  origin.operator_name = call.name;
  origin.for_forward = forward != forward_offsets_.end();
  origin.offsets = origin.for_forward ? forward->second : program_offsets();
  if (call.forward_of == 0 && call.sequence != 0 && !origin.offsets.empty()) {
    forward_offsets_.try_emplace(call.sequence, origin.offsets);  // the first call after the node of autograd was made
    if (forward_offsets_.size() > most_forward_places) forward_offsets_.erase(forward_offsets_.begin());
  }
  const auto [known, is_new] = numbers_.try_emplace(std::move(origin), static_cast<std::uint32_t>(origins_.size()));
  if (is_new) origins_.push_back(known->first);
  return known->second;
}

}  // namespace stepgate::emulator
