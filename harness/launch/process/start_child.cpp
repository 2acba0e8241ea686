#include "launch/process/start_child.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/error.h"
#include "system/descriptor.h"
#include "system/files/file_error.h"
#include "system/shared_value.h"

namespace stepgate {
namespace {

Descriptor open_no_input() {
  Descriptor stream(uninterrupted([] { return ::open("/dev/null", O_RDONLY | O_CLOEXEC); }));
  if (!stream.is_open()) throw file_error(ErrorKind::measure, {"/dev/null", "cannot open", errno});
  return stream;
}

}  // namespace

StartedChild start_child(const ProcessRequest& request, const ChildOutput& output) {
  const Descriptor input = open_no_input();
  const ProcessKnobs knobs(request.knobs);
  const SharedValue<ProcessKnobOutcomes> outcomes;
  std::vector<std::string> environment;
  for (const auto& [name, value] : request.environment) environment.push_back(name + "=" + value);
  ProcessStart start{.command = request.command,
                     .environment = std::move(environment),
                     .descriptors = {{input.number(), STDIN_FILENO},
                                     {output.number(), STDOUT_FILENO},
                                     {output.number(), STDERR_FILENO}},
                     .group = ProcessGroup::own,
                     .dies_with_caller = true,
                     .before_exec = [&] { knobs.apply(*outcomes); }};
  if (request.inherited >= 0) start.descriptors.push_back({request.inherited, request.inherited});
  if (request.place >= 0) start.descriptors.push_back({request.place, request.place});
  StartedChild started{.process = start_process(start)};
  started.knobs = *outcomes;
  return started;
}

}  // namespace stepgate
