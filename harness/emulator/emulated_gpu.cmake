# stepgate_add_emulated_gpu(): target emulated_gpu, which makes the emulated GPU for the LibTorch that was found, in the private folder
# emulated_gpu of the build. stepgate_add_cases(... DEVICES emulated:h100) calls it.
#
# A project with an installed stepgate uses this file, too: it is installed with the sources beside it. What has a vendor's library
# name is made on the machine that uses it, and is in no package (docs/design/emulated_gpu.md, "Licence rules").
include_guard(GLOBAL)

# What is compiled against the vendor's headers. Each header defines what the others redefine, so no unity build of all
# (stepgate_join_shims).
function(stepgate_shim target)
  target_include_directories(${target} PRIVATE ${home}/.. ${generated})
  target_include_directories(${target} SYSTEM PRIVATE ${vendor_headers})
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF
    CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  if(COMMAND stepgate_strict)
    stepgate_strict(${target})
  endif()
endfunction()

# Parts whose files include the headers of one library and have file-local names that differ: each is compiled as one. The files of
# the others are compiled one by one, 1 s each.
function(stepgate_join_shims part)
  if(part MATCHES "^(process|runtime/work|driver|math|nccl)$")
    string(MAKE_C_IDENTIFIER ${part} group)
    set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${group})
  endif()
endfunction()

# The machine, without any header of a vendor. A build of stepgate has it for its tests.
function(stepgate_add_emulator_machine)
  if(TARGET stepgate_emulator)
    return()
  endif()
  set(sources "")
  foreach(folder model memory work machine hazards)
    file(GLOB found CONFIGURE_DEPENDS ${home}/${folder}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  add_library(stepgate_emulator STATIC EXCLUDE_FROM_ALL ${sources})
  target_include_directories(stepgate_emulator PRIVATE ${home}/..)
  set_target_properties(stepgate_emulator PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF
    CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
endfunction()

function(stepgate_add_emulated_gpu)
  if(TARGET emulated_gpu)
    return()
  endif()
  if(NOT TARGET torch_cuda)
    message(FATAL_ERROR "stepgate: the emulated GPU needs a LibTorch for CUDA 13, and that in ${TORCH_INSTALL_PREFIX} is for the CPU.\n"
      "Name another: -DCMAKE_PREFIX_PATH='/path/to/stepgate;/path/to/libtorch'. For builds that have none: if(TARGET torch_cuda)")
  endif()
  set(home ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  set(folder ${CMAKE_BINARY_DIR}/emulated_gpu)
  set(generated ${CMAKE_BINARY_DIR}/stepgate_emulator)
  set(tables ${home}/emulated_gpu_tables)  # as installed
  if(NOT EXISTS ${tables})
    set(tables ${home}/../../ci/emulated_gpu_tables)
  endif()
  if(NOT Python3_EXECUTABLE)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
  endif()
  # The public headers beside LibTorch: those of its wheels, else those of the toolkit.
  file(GLOB vendor_headers ${TORCH_INSTALL_PREFIX}/../nvidia/*/include)
  list(APPEND vendor_headers ${CUDAToolkit_INCLUDE_DIRS})
  list(REMOVE_DUPLICATES vendor_headers)

  # What LibTorch imports, and the names of callbacks. Another LibTorch in the same place makes them, and what rests on them, anew.
  set(torch_libraries ${TORCH_INSTALL_PREFIX}/lib/libtorch_cuda.so ${TORCH_INSTALL_PREFIX}/lib/libtorch_cpu.so)
  add_custom_command(OUTPUT ${generated}/imports.json ${generated}/emulator/cupti/callback_names.h
    COMMAND ${Python3_EXECUTABLE} ${tables} names --libraries ${TORCH_INSTALL_PREFIX}/lib --headers ${vendor_headers}
      --out ${generated}
    DEPENDS ${tables} ${torch_libraries} VERBATIM)

  stepgate_add_emulator_machine()
  get_target_property(machine_sources stepgate_emulator SOURCES)
  set(shim_sources "")
  foreach(part process runtime runtime/work driver cupti math math/cudnn nccl nvml)
    file(GLOB found CONFIGURE_DEPENDS ${home}/${part}/*.cpp)
    list(APPEND shim_sources ${found})
    stepgate_join_shims(${part} ${found})
  endforeach()
  list(REMOVE_ITEM shim_sources ${machine_sources})  # the machine's library is linked whole
  file(GLOB loader_sources CONFIGURE_DEPENDS ${home}/loader/*.cpp)
  add_library(stepgate_emulated_shims OBJECT ${shim_sources} ${generated}/emulator/cupti/callback_names.h)
  stepgate_shim(stepgate_emulated_shims)
  set_target_properties(stepgate_emulated_shims PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  add_library(stepgate_emulated_loader OBJECT ${loader_sources})
  stepgate_shim(stepgate_emulated_loader)

  # Links both libraries and makes a file for each library name that LibTorch needs.
  add_custom_command(OUTPUT ${folder}/complete
    COMMAND ${Python3_EXECUTABLE} ${tables} folder --imports ${generated}/imports.json --compiler ${CMAKE_CXX_COMPILER}
      --objects $<TARGET_OBJECTS:stepgate_emulated_shims> --loader $<TARGET_OBJECTS:stepgate_emulated_loader>
      --machine $<TARGET_FILE:stepgate_emulator> --out ${folder}
    DEPENDS ${tables} ${generated}/imports.json stepgate_emulator stepgate_emulated_shims
      $<TARGET_OBJECTS:stepgate_emulated_shims> $<TARGET_OBJECTS:stepgate_emulated_loader>
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(emulated_gpu DEPENDS ${folder}/complete)
  stepgate_add_emulated_values()
endfunction()

# The operators on the CPU, over the memory of the emulated devices: target emulated_gpu_values. What needs no shim is a library of
# its own, so that its tests run without a device.
function(stepgate_add_emulated_values)
  file(GLOB value_sources CONFIGURE_DEPENDS ${home}/values/*.cpp)
  set(operator_sources ${value_sources})
  list(FILTER operator_sources EXCLUDE REGEX "/(value_dispatch|value_entry|device_random|hazard_dispatch)[.]cpp$")
  list(REMOVE_ITEM value_sources ${operator_sources})
  add_library(stepgate_emulated_operators STATIC ${operator_sources})
  stepgate_shim(stepgate_emulated_operators)
  target_link_libraries(stepgate_emulated_operators PUBLIC torch)
  target_include_directories(stepgate_emulated_operators INTERFACE ${home}/..)
  add_library(stepgate_emulated_values SHARED EXCLUDE_FROM_ALL ${value_sources})
  stepgate_shim(stepgate_emulated_values)
  target_link_libraries(stepgate_emulated_values PRIVATE stepgate_emulated_operators torch)
  set_target_properties(stepgate_emulated_values PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${folder})
  add_dependencies(stepgate_emulated_values emulated_gpu)
  add_custom_target(emulated_gpu_values DEPENDS stepgate_emulated_values)
endfunction()
