#include "measure/device/fake/scripted_timeline.h"

#include <algorithm>

namespace stepgate {

Access ScriptedTimeline::run(Stream stream, std::int64_t ns, const CallSite& site) {
  std::int64_t& busy_until_ns = busy_until_ns_[static_cast<std::size_t>(stream)];
  busy_until_ns = std::max(host_ns_, busy_until_ns) + ns;
  const Actor actor = actor_of(stream);
  own(actor).join(clock(Actor::host));  // work runs after what the host did before it queued it
  return {actor, ++own(actor).at(actor), site};
}

Access ScriptedTimeline::run_on_host(const CallSite& site) {
  return {Actor::host, ++own(Actor::host).at(Actor::host), site};
}

StreamMoment ScriptedTimeline::moment(Stream stream) {
  const Access mark = run(stream, 0, {});
  return {mark.actor, busy_until_ns_[static_cast<std::size_t>(stream)], clock(mark.actor)};
}

void ScriptedTimeline::wait(Stream stream, const StreamMoment& moment) {
  std::int64_t& busy_until_ns = busy_until_ns_[static_cast<std::size_t>(stream)];
  busy_until_ns = std::max(busy_until_ns, moment.ns);
  own(actor_of(stream)).join(moment.clock);
}

bool ScriptedTimeline::is_past(const StreamMoment& moment) {
  if (moment.ns > host_ns_) return false;
  synchronize(moment);
  return true;
}

void ScriptedTimeline::synchronize(const StreamMoment& moment) {
  host_ns_ = std::max(host_ns_, moment.ns);
  own(Actor::host).join(moment.clock);
}

void ScriptedTimeline::synchronize() {
  synchronize(moment(Stream::compute));
  synchronize(moment(Stream::copy));
}

bool ScriptedTimeline::host_knows(const StreamMoment& moment) const {
  return clock(Actor::host).at(moment.actor) >= moment.clock.at(moment.actor);
}

}  // namespace stepgate
