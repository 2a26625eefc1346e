# bin/twiddle finds its data in ../share/twiddle (base/paths.cpp); the folders keep their names there.

if(TARGET twiddle-rewriter)
  install(TARGETS twiddle-rewriter RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET twiddle-opencl-layer)
  install(TARGETS twiddle-opencl-layer LIBRARY DESTINATION lib/twiddle)
endif()
if(TARGET twiddle)
  install(TARGETS twiddle RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

  # The program itself knows its options: its man page and shell completion come from it.
  set(completions ${CMAKE_BINARY_DIR}/share/bash-completion/completions)
  set(manuals ${CMAKE_BINARY_DIR}/share/man/man1)
  add_custom_command(OUTPUT ${completions}/twiddle ${manuals}/twiddle.1
    COMMAND ${CMAKE_COMMAND} -E make_directory ${completions} ${manuals}
    COMMAND twiddle completion bash > ${completions}/twiddle
    COMMAND twiddle man > ${manuals}/twiddle.1
    DEPENDS twiddle COMMENT "Writing the man page and shell completion")
  add_custom_target(command_line_files ALL DEPENDS ${completions}/twiddle ${manuals}/twiddle.1)
  install(FILES ${completions}/twiddle DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${manuals}/twiddle.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# Where there is a window a desktop shows the program among others, and opens .twd files with it.
if(TARGET twiddle_window)
  install(FILES cmake/desktop/twiddle.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
  install(FILES cmake/desktop/twiddle.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
  install(FILES cmake/desktop/twiddle.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
endif()

set(data ${CMAKE_INSTALL_DATADIR}/twiddle)
set(not_data PATTERN "*.cpp" EXCLUDE PATTERN "*.md.in" EXCLUDE PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY kernels DESTINATION ${data} ${not_data} REGEX "/kernels/(catalogue|plan|signal)$" EXCLUDE PATTERN "gallery.h" EXCLUDE)
install(DIRECTORY lessons DESTINATION ${data} ${not_data} PATTERN "*.h" EXCLUDE)
# Kernels include trace_device.h and what it needs, on the device and in the host executor.
install(DIRECTORY tracer DESTINATION ${data} OPTIONAL FILES_MATCHING PATTERN "*.h" PATTERN "*.cuh")
install(DIRECTORY tracer/direct/device DESTINATION ${data}/tracer/direct)
install(DIRECTORY viewer/handout/html DESTINATION ${data}/viewer/handout)
install(FILES docs/glossary.md DESTINATION ${data}/docs)  # lessons lead to it
install(DIRECTORY docs/benchmarks DESTINATION ${data}/docs FILES_MATCHING PATTERN "*.csv")  # the window draws them
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
