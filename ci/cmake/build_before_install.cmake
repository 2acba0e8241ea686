# stepgate_build_before_install(<target>...): `cmake --install` builds these targets first, and stops before it writes anything
# where that fails. CMake's own install scripts only copy: after a build of a few targets, as ci/perf makes it, they would stop at
# the first missing file and leave half a prefix. Call it before all other install rules.
function(stepgate_build_before_install)
  add_custom_target(stepgate_installed)
  add_dependencies(stepgate_installed ${ARGN})
  install(CODE "
set(stepgate_jobs \"\$ENV{STEPGATE_JOBS}\")
if(NOT stepgate_jobs)
  set(stepgate_jobs 2) # a compiler that reads LibTorch takes 2 GB
endif()
message(STATUS \"Building what is installed\")
execute_process(RESULT_VARIABLE stepgate_built COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\"
  --target stepgate_installed --parallel \${stepgate_jobs})
if(NOT stepgate_built EQUAL 0)
  message(FATAL_ERROR \"what is installed could not be built (above), so nothing was installed. Build it, then install again: \"
    \"cmake --build ${CMAKE_BINARY_DIR} --target stepgate_installed\")
endif()
")
endfunction()

# stepgate_take_away_first(<file>): removes a file of the prefix before the rules that follow are run. Where the last rule writes
# it, a prefix that has it is complete, also after an installation over an older one was interrupted.
function(stepgate_take_away_first file)
  install(CODE "file(REMOVE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${file}\")")
endfunction()
