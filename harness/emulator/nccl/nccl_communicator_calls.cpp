// The functions of NCCL that make, ask and end communicators.
#include <nccl.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "emulator/machine/refusal.h"
#include "emulator/nccl/nccl_handles.h"
#include "emulator/nccl/nccl_launch.h"
#include "emulator/process/api_scope.h"
#include "emulator/process/process_machine.h"
#include "emulator/process/thread_state.h"
#include "emulator/runtime/kernel_registry.h"

namespace stepgate::emulator {
namespace {

constexpr unsigned config_magic = 0xcafebeefU;

/// What ncclGetLastError() answers without a communicator.
const char*& last_error() {
  thread_local const char* text = "";
  return text;
}

/// Fields of it are hints how fast to be; calls block whether it asks for that or not, and then are complete.
bool is_config(const ncclConfig_t* config) { return config == nullptr || config->magic == config_magic; }

ncclComm_t pointer_of(std::uint64_t handle) {
  return reinterpret_cast<ncclComm_t>(static_cast<std::uintptr_t>(handle));
}

std::string name_in(const ncclUniqueId& id) {
  const char* const end = std::find(std::begin(id.internal), std::end(id.internal), '\0');
  return {std::begin(id.internal), end};
}

/// A program that has a limit of its own for a collective sets it: a rank that hangs in a call cannot be found by a
/// watchdog that hears of the collective when the call has ended.
constexpr const char* patience_variable = "STEPGATE_EMULATED_NCCL_PATIENCE_MS";

/// Ends the process where the variable holds no number of milliseconds.
int call_patience_ms(const char* function) {
  const char* const text = std::getenv(patience_variable);
  if (text == nullptr) return NcclPlace{}.call_patience_ms;
  int patience_ms = 0;
  const std::string_view value = text;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), patience_ms);
  if (error != std::errc() || end != value.data() + value.size() || patience_ms <= 0) {
    refuse(function, std::string(patience_variable) + "=" + text + ", which is no number of milliseconds above 0");
  }
  return patience_ms;
}

/// What the calls tell that make a communicator from an id.
NcclPlace place_by_id(const ncclUniqueId& id, int ranks, int rank) {
  NcclPlace place{.name = name_in(id), .ranks = ranks, .rank = rank};
  place.pids = {maker_of_nccl_name(place.name)};
  return place;
}

ncclResult_t join(const char* function, ncclComm_t* made, NcclPlace place) {
  if (made == nullptr || place.ranks < 1 || place.rank < 0 || place.rank >= place.ranks) return ncclInvalidArgument;
  if (nccl_group().is_open() && place.ranks > 1) refuse(function, "communicators made within a group");
  if (place.ranks > nccl_ranks_limit) refuse(function, "more than 64 ranks");
  place.call_patience_ms = call_patience_ms(function);
  std::string error;
  std::unique_ptr<NcclMeeting> meeting = NcclMeeting::join(place, error);
  if (meeting == nullptr) {
    last_error() = interned(std::move(error)).data();
    return ncclRemoteError;
  }
  *made = pointer_of(add_communicator(std::make_shared<NcclCommunicator>(std::move(meeting), thread_state().device)));
  return ncclSuccess;
}

struct ColorAndKey {
  int color = 0;
  int key = 0;
};

/// What each rank wants, of all ranks.
ncclResult_t ask_all(NcclCommunicator& communicator, ColorAndKey own, std::vector<ColorAndKey>& all) {
  NcclExchange exchange{.signature = sizeof(ColorAndKey), .bytes = sizeof(own), .from = &own};
  exchange.take = [&all](std::uint64_t, std::uint64_t, const std::vector<const std::byte*>& of_rank) {
    for (const std::byte* from : of_rank) {
      ColorAndKey read;
      std::memcpy(&read, from, sizeof(read));
      all.push_back(read);
    }
  };
  const NcclMet met = communicator.meeting().exchange(exchange);
  communicator.note(met);
  return nccl_result_of(met.end);
}

/// The ranks of one color in the order of their keys; equal keys keep the order of the old ranks.
NcclPlace place_in_color(const std::vector<ColorAndKey>& all, const NcclMeeting& parent, const std::string& name) {
  const ColorAndKey own = all[static_cast<std::size_t>(parent.rank())];
  std::vector<std::pair<int, int>> members;  // key and old rank
  for (int other = 0; other < static_cast<int>(all.size()); ++other) {
    const ColorAndKey& asked = all[static_cast<std::size_t>(other)];
    if (asked.color == own.color) members.emplace_back(asked.key, other);
  }
  std::sort(members.begin(), members.end());
  NcclPlace place{.name = name + ":" + std::to_string(own.color), .ranks = static_cast<int>(members.size())};
  for (const auto& [key, other] : members) {
    if (other == parent.rank()) place.rank = static_cast<int>(place.pids.size());
    place.pids.push_back(parent.pid_of(other));
  }
  return place;
}

std::string child_name(NcclCommunicator& communicator, char kind) {
  return communicator.meeting().name() + "/" + kind + std::to_string(communicator.next_child());
}

ncclResult_t split(NcclCommunicator& parent, ColorAndKey own, ncclComm_t* made) {
  if (nccl_group().is_open()) refuse("ncclCommSplit", "splits within a group");
  const std::string name = child_name(parent, 's');
  std::vector<ColorAndKey> all;
  if (const ncclResult_t asked = ask_all(parent, own, all); asked != ncclSuccess) return asked;
  *made = nullptr;
  if (own.color == NCCL_SPLIT_NOCOLOR) return ncclSuccess;
  return join("ncclCommSplit", made, place_in_color(all, parent.meeting(), name));
}

/// Those that are excluded do not call, so the others agree without a meeting.
ncclResult_t shrink(NcclCommunicator& parent, const std::vector<int>& excluded, ncclComm_t* made) {
  const auto stays = [&excluded](int rank) {
    return std::find(excluded.begin(), excluded.end(), rank) == excluded.end();
  };
  if (!stays(parent.rank())) return ncclInvalidUsage;
  NcclPlace place{.name = child_name(parent, 'k'), .ranks = 0};
  for (int rank = 0; rank < parent.ranks(); ++rank) {
    if (!stays(rank)) continue;
    ++place.ranks;
    place.pids.push_back(parent.meeting().pid_of(rank));
    if (rank < parent.rank()) ++place.rank;
  }
  return join("ncclCommShrink", made, place);
}

/// The handle is no longer valid; work that still meets others ends.
ncclResult_t remove(const char* function, ncclComm_t handle) {
  const ApiScope scope(ApiDomain::runtime, 0, function);
  const std::shared_ptr<NcclCommunicator> communicator = communicator_at(handle);
  if (communicator == nullptr) return handle == nullptr ? ncclSuccess : ncclInvalidArgument;
  communicator->meeting().leave();
  remove_communicator(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(handle)));
  return ncclSuccess;
}

}  // namespace
}  // namespace stepgate::emulator

namespace emulator = stepgate::emulator;

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  if (version == nullptr) return ncclInvalidArgument;
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  if (id == nullptr) return ncclInvalidArgument;
  const std::string name = emulator::new_nccl_name();
  if (name.empty()) return ncclSystemError;
  std::memset(id, 0, sizeof(*id));
  std::memcpy(id->internal, name.data(), name.size());
  return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* made, int ranks, ncclUniqueId id, int rank, ncclConfig_t* config) {
  const emulator::ApiScope scope(emulator::ApiDomain::runtime, 0, "ncclCommInitRankConfig");
  if (!emulator::is_config(config)) return ncclInvalidArgument;
  return emulator::join("ncclCommInitRankConfig", made, emulator::place_by_id(id, ranks, rank));
}

ncclResult_t ncclCommInitRank(ncclComm_t* made, int ranks, ncclUniqueId id, int rank) {
  const emulator::ApiScope scope(emulator::ApiDomain::runtime, 0, "ncclCommInitRank");
  return emulator::join("ncclCommInitRank", made, emulator::place_by_id(id, ranks, rank));
}

// Several ids spread the work of large machines; one is enough to meet.
ncclResult_t ncclCommInitRankScalable(ncclComm_t* made, int ranks, int rank, int ids, ncclUniqueId* id,
                                      ncclConfig_t* config) {
  const emulator::ApiScope scope(emulator::ApiDomain::runtime, 0, "ncclCommInitRankScalable");
  if (ids < 1 || id == nullptr || !emulator::is_config(config)) return ncclInvalidArgument;
  return emulator::join("ncclCommInitRankScalable", made, emulator::place_by_id(id[0], ranks, rank));
}

ncclResult_t ncclCommInitAll(ncclComm_t* made, int devices, const int* list) {
  const emulator::ApiScope scope(emulator::ApiDomain::runtime, 0, "ncclCommInitAll");
  if (devices != 1) emulator::refuse("ncclCommInitAll", "several ranks in one thread");
  emulator::ThreadState& thread = emulator::thread_state();
  const int before = thread.device;
  const int device = list == nullptr ? 0 : list[0];
  if (!emulator::process_machine().has_device(device)) return ncclInvalidArgument;
  thread.device = device;
  const ncclResult_t result = emulator::join("ncclCommInitAll", made, {.name = emulator::new_nccl_name()});
  thread.device = before;
  return result;
}

ncclResult_t ncclCommSplit(ncclComm_t handle, int color, int key, ncclComm_t* made, ncclConfig_t* config) {
  const emulator::ApiScope scope(emulator::ApiDomain::runtime, 0, "ncclCommSplit");
  const std::shared_ptr<emulator::NcclCommunicator> parent = emulator::communicator_at(handle);
  const bool has_color = color >= 0 || color == NCCL_SPLIT_NOCOLOR;
  if (parent == nullptr || made == nullptr || !has_color || !emulator::is_config(config)) return ncclInvalidArgument;
  return emulator::split(*parent, {color, key}, made);
}

ncclResult_t ncclCommShrink(ncclComm_t handle, int* excluded, int count, ncclComm_t* made, ncclConfig_t* config,
                            int flags) {
  const emulator::ApiScope scope(emulator::ApiDomain::runtime, 0, "ncclCommShrink");
  const std::shared_ptr<emulator::NcclCommunicator> parent = emulator::communicator_at(handle);
  if (parent == nullptr || excluded == nullptr || count < 1 || !emulator::is_config(config)) return ncclInvalidArgument;
  if (flags == NCCL_SHRINK_ABORT) parent->meeting().leave();
  return emulator::shrink(*parent, {excluded, excluded + count}, made);
}

// All work was complete when its call returned, as far as other ranks are concerned.
ncclResult_t ncclCommFinalize(ncclComm_t handle) {
  return emulator::communicator_at(handle) == nullptr ? ncclInvalidArgument : ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t handle) { return emulator::remove("ncclCommDestroy", handle); }
ncclResult_t ncclCommAbort(ncclComm_t handle) { return emulator::remove("ncclCommAbort", handle); }

ncclResult_t ncclCommCount(const ncclComm_t handle, int* count) {
  const std::shared_ptr<emulator::NcclCommunicator> communicator = emulator::communicator_at(handle);
  if (communicator == nullptr || count == nullptr) return ncclInvalidArgument;
  *count = communicator->ranks();
  return ncclSuccess;
}

ncclResult_t ncclCommUserRank(const ncclComm_t handle, int* rank) {
  const std::shared_ptr<emulator::NcclCommunicator> communicator = emulator::communicator_at(handle);
  if (communicator == nullptr || rank == nullptr) return ncclInvalidArgument;
  *rank = communicator->rank();
  return ncclSuccess;
}

// The watchdog of a process group asks it all the time, so it is no call that observers hear of.
ncclResult_t ncclCommGetAsyncError(ncclComm_t handle, ncclResult_t* result) {
  const std::shared_ptr<emulator::NcclCommunicator> communicator = emulator::communicator_at(handle);
  if (communicator == nullptr || result == nullptr) return ncclInvalidArgument;
  *result = emulator::nccl_result_of(communicator->state());
  return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result) { return emulator::text_of_nccl_result(result); }

const char* ncclGetLastError(ncclComm_t handle) {
  const std::shared_ptr<emulator::NcclCommunicator> communicator = emulator::communicator_at(handle);
  return communicator == nullptr ? emulator::last_error() : emulator::interned(communicator->text()).data();
}

}  // extern "C"
