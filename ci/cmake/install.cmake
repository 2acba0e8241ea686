# An install tree that find_package(stepgate) finds and that can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(place ${CMAKE_INSTALL_LIBDIR}/cmake/stepgate)

set(exported stepgate stepgate_core stepgate_system stepgate_marks)
if(STEPGATE_WITH_TORCH)
  list(APPEND exported stepgate_json stepgate_stats stepgate_measure_loop stepgate_measure)
  set_target_properties(stepgate_measure PROPERTIES EXPORT_NAME harness)
endif()
install(TARGETS ${exported} EXPORT stepgate-targets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET stepgate_device_check)
  install(TARGETS stepgate_device_check RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(EXPORT stepgate-targets NAMESPACE stepgate:: DESTINATION ${place})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/harness/include/stepgate DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/stepgate)
install(FILES ${PROJECT_SOURCE_DIR}/ci/cmake/torch.cmake ${PROJECT_SOURCE_DIR}/ci/cmake/stepgate_perftest.cmake
  DESTINATION ${place})

configure_package_config_file(${PROJECT_SOURCE_DIR}/ci/cmake/stepgate-config.cmake.in
  ${PROJECT_BINARY_DIR}/stepgate-config.cmake INSTALL_DESTINATION ${place})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/stepgate-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/stepgate-config.cmake ${PROJECT_BINARY_DIR}/stepgate-config-version.cmake
  DESTINATION ${place})
