# Flags for the targets of this project only: nothing global, and nothing that a user of the library inherits.
add_library(stepgate_flags INTERFACE)
target_compile_features(stepgate_flags INTERFACE cxx_std_20)
target_compile_options(stepgate_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror
  # GCC 12 warns wrongly about std::optional<double> (GCC bug 80635) and std::string + (105651) when it optimises.
  -Wno-maybe-uninitialized -Wno-restrict)
if(STEPGATE_SANITIZE)
  target_compile_options(stepgate_flags INTERFACE -fsanitize=${STEPGATE_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  # A third of the time of a sanitizer build goes into these checks of each access. A null pointer crashes under
  # AddressSanitizer anyway, x86 reads unaligned values, and object sizes are unknown at -O0.
  if(STEPGATE_SANITIZE MATCHES "address")
    target_compile_options(stepgate_flags INTERFACE -fno-sanitize=null,alignment,object-size)
  endif()
  target_link_options(stepgate_flags INTERFACE -fsanitize=${STEPGATE_SANITIZE})
endif()

function(stepgate_strict target)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:stepgate_flags>)
  set_target_properties(${target} PROPERTIES CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
endfunction()
