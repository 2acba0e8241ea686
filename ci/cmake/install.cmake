# An install tree that find_package(stepgate) finds and that can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(${CMAKE_CURRENT_LIST_DIR}/build_before_install.cmake)
set(place ${CMAKE_INSTALL_LIBDIR}/cmake/stepgate)

set(exported stepgate stepgate_core stepgate_system stepgate_marks)
if(STEPGATE_WITH_TORCH)
  list(APPEND exported stepgate_json stepgate_stats stepgate_measure_loop stepgate_measure)
  set_target_properties(stepgate_measure PROPERTIES EXPORT_NAME harness)
endif()
set(programs stepgate_studies)
if(TARGET stepgate_device_check)
  list(APPEND programs stepgate_device_check)
endif()
stepgate_build_before_install(${exported} ${programs})
# find_package() needs it, and so does `stepgate init`: it comes last.
stepgate_take_away_first(${place}/stepgate-config.cmake)
install(TARGETS ${exported} EXPORT stepgate-targets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# A bundle of a project for a machine without a compiler: stepgate_bundle BUILD_DIR OUT_DIR.
install(PROGRAMS ${PROJECT_SOURCE_DIR}/ci/bundle DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME stepgate_bundle)
install(FILES ${PROJECT_SOURCE_DIR}/ci/cmake/remove_rpath.cmake DESTINATION ${CMAKE_INSTALL_DATADIR}/stepgate/bundle/cmake)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/ci/bundle_run DESTINATION ${CMAKE_INSTALL_DATADIR}/stepgate/bundle)
install(EXPORT stepgate-targets NAMESPACE stepgate:: DESTINATION ${place})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/harness/include/stepgate DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/stepgate)
# The emulated GPU as sources: a project makes it for its own LibTorch, on the machine that uses it. Nothing that is installed has a
# vendor's library name (docs/design/emulated_gpu.md, "Licence rules").
set(STEPGATE_EMULATOR_DIR ${CMAKE_INSTALL_DATADIR}/stepgate/emulator)
if(STEPGATE_WITH_TORCH)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/harness/emulator/ DESTINATION ${STEPGATE_EMULATOR_DIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.cpp" PATTERN "emulated_gpu.cmake")
  install(PROGRAMS ${PROJECT_SOURCE_DIR}/ci/emulated_gpu_tables DESTINATION ${STEPGATE_EMULATOR_DIR})
endif()
install(FILES ${PROJECT_SOURCE_DIR}/ci/cmake/torch.cmake ${PROJECT_SOURCE_DIR}/ci/cmake/stepgate_perftest.cmake
  DESTINATION ${place})

configure_package_config_file(${PROJECT_SOURCE_DIR}/ci/cmake/stepgate-config.cmake.in
  ${PROJECT_BINARY_DIR}/stepgate-config.cmake INSTALL_DESTINATION ${place} PATH_VARS STEPGATE_EMULATOR_DIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/stepgate-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/stepgate-config-version.cmake DESTINATION ${place})
install(FILES ${PROJECT_BINARY_DIR}/stepgate-config.cmake DESTINATION ${place})
