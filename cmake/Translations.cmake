# po/LANG.po -> share/locale/LANG/LC_MESSAGES/twiddle.mo, in the build folder in the shape it is installed in.

file(GLOB catalogues CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/po/*.po)
set(compiled)
if(MSGFMT)
  foreach(catalogue ${catalogues})
    get_filename_component(lang ${catalogue} NAME_WE)
    set(mo ${CMAKE_BINARY_DIR}/share/locale/${lang}/LC_MESSAGES/twiddle.mo)
    add_custom_command(OUTPUT ${mo}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/share/locale/${lang}/LC_MESSAGES
      COMMAND ${MSGFMT} --check-format -o ${mo} ${catalogue}
      DEPENDS ${catalogue} COMMENT "Compiling the ${lang} translation")
    list(APPEND compiled ${mo})
    install(FILES ${mo} DESTINATION ${CMAKE_INSTALL_DATADIR}/locale/${lang}/LC_MESSAGES)
  endforeach()
endif()
add_custom_target(translations ALL DEPENDS ${compiled})
