#include "launch/start_child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.h"
#include "system/descriptor.h"
#include "system/shared_value.h"

namespace stepgate {
namespace {

Descriptor open_child_stream(const std::filesystem::path& path, int flags) {
  Descriptor stream(::open(path.c_str(), flags | O_CLOEXEC, 0644));
  if (stream.is_open()) return stream;
  throw Error(ErrorKind::measure, fmt::format("cannot open {}: {}", path.string(), std::strerror(errno)),
              "give another folder with --out");
}

}  // namespace

StartedChild start_child(const ProcessRequest& request) {
  const Descriptor input = open_child_stream("/dev/null", O_RDONLY);
  const Descriptor output = open_child_stream(request.output, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
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
  StartedChild started{.process = start_process(start)};
  started.knobs = *outcomes;
  return started;
}

}  // namespace stepgate
