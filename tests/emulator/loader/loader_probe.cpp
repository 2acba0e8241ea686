// Says which of two libraries of one name it got, linked and opened at run time.
//   loader_probe FILE      the file is opened by its path
#include <dlfcn.h>

#include <cstdio>

extern "C" int stepgate_answer();

namespace {

int answer_of(const char* name) {
  void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return -1;
  auto* answer = reinterpret_cast<int (*)()>(dlsym(library, "stepgate_answer"));
  return answer == nullptr ? -2 : answer();
}

}  // namespace

int main(int argc, char** argv) {
  std::printf("linked %d, by name %d, by path %d, not emulated %d, another's %d\n", stepgate_answer(),
              answer_of("libnvidia-ml.so.1"), argc > 1 ? answer_of(argv[1]) : 0, answer_of("libcudnn_graph.so.9"),
              answer_of("libstepgate_other.so") == -1 ? 0 : 1);
}
