# Target emulated_gpu: the shims for the LibTorch that was found, in a private folder of the build. No other target needs it, and
# nothing of it is installed (docs/design/emulated_gpu.md).
if(NOT STEPGATE_WITH_TORCH OR NOT TARGET torch_cuda)
  return()
endif()

# The public headers beside LibTorch: those of its wheels, else those of the toolkit.
file(GLOB stepgate_vendor_headers ${TORCH_INSTALL_PREFIX}/../nvidia/*/include)
list(APPEND stepgate_vendor_headers ${CUDAToolkit_INCLUDE_DIRS})
list(REMOVE_DUPLICATES stepgate_vendor_headers)

set(stepgate_emulated_folder ${PROJECT_BINARY_DIR}/emulated_gpu)
set(generated ${CMAKE_CURRENT_BINARY_DIR}/generated)
set(tables ${PROJECT_SOURCE_DIR}/ci/emulated_gpu_tables)
set(torch_libraries ${TORCH_INSTALL_PREFIX}/lib/libtorch_cuda.so ${TORCH_INSTALL_PREFIX}/lib/libtorch_cpu.so)

# What LibTorch imports, and the names of callbacks.
add_custom_command(OUTPUT ${generated}/imports.json ${generated}/emulator/cupti/callback_names.h
  COMMAND Python3::Interpreter ${tables} names --libraries ${TORCH_INSTALL_PREFIX}/lib
    --headers ${stepgate_vendor_headers} --out ${generated}
  DEPENDS ${tables} ${torch_libraries} VERBATIM)

set(shim_sources)
foreach(folder process runtime runtime/work driver cupti math math/cudnn nccl nvml)
  file(GLOB found CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  list(APPEND shim_sources ${found})
endforeach()
# The machine's library, which is linked whole, holds these already.
list(REMOVE_ITEM shim_sources ${sources})
file(GLOB loader_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/loader/*.cpp)
if(NOT shim_sources OR NOT loader_sources)
  return()
endif()

# Settings of what is compiled against the vendor's headers. Each header defines what the others redefine, so no unity build.
function(stepgate_shim target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/harness ${generated})
  target_include_directories(${target} SYSTEM PRIVATE ${stepgate_vendor_headers})
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
  stepgate_strict(${target})
endfunction()

add_library(stepgate_emulated_shims OBJECT ${shim_sources} ${generated}/emulator/cupti/callback_names.h)
stepgate_shim(stepgate_emulated_shims)
add_library(stepgate_emulated_loader OBJECT ${loader_sources})
stepgate_shim(stepgate_emulated_loader)

# Links both libraries and makes a file for each library name that LibTorch needs.
add_custom_command(OUTPUT ${stepgate_emulated_folder}/complete
  COMMAND Python3::Interpreter ${tables} folder --imports ${generated}/imports.json --compiler ${CMAKE_CXX_COMPILER}
    --objects $<TARGET_OBJECTS:stepgate_emulated_shims> --loader $<TARGET_OBJECTS:stepgate_emulated_loader>
    --machine $<TARGET_FILE:stepgate_emulator> --out ${stepgate_emulated_folder}
  DEPENDS ${tables} ${generated}/imports.json stepgate_emulator stepgate_emulated_shims
    $<TARGET_OBJECTS:stepgate_emulated_shims> $<TARGET_OBJECTS:stepgate_emulated_loader>
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(emulated_gpu DEPENDS ${stepgate_emulated_folder}/complete)

# The operators on the CPU, over the memory of the emulated devices.
file(GLOB value_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/values/*.cpp)
if(value_sources)
  # What needs no shim is a library of its own, so that its tests run without a device.
  set(operator_sources ${value_sources})
  list(FILTER operator_sources EXCLUDE REGEX "/(value_dispatch|value_entry|device_random)[.]cpp$")
  list(REMOVE_ITEM value_sources ${operator_sources})
  add_library(stepgate_emulated_operators STATIC ${operator_sources})
  stepgate_shim(stepgate_emulated_operators)
  target_link_libraries(stepgate_emulated_operators PUBLIC torch)
  target_include_directories(stepgate_emulated_operators INTERFACE ${PROJECT_SOURCE_DIR}/harness)
  add_library(stepgate_emulated_values SHARED EXCLUDE_FROM_ALL ${value_sources})
  stepgate_shim(stepgate_emulated_values)
  target_link_libraries(stepgate_emulated_values PRIVATE stepgate_emulated_operators torch)
  set_target_properties(stepgate_emulated_values PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${stepgate_emulated_folder})
  add_dependencies(stepgate_emulated_values emulated_gpu)
  add_custom_target(emulated_gpu_values DEPENDS stepgate_emulated_values)
endif()
