#include "record/cuda/cubin_symbols.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace twiddle_cuda {
namespace {

// An ELF file's sections; none of what is no such file, or cut short.
struct Elf {
  const char* bytes = nullptr;
  std::size_t size = 0;
  std::size_t names = 0;  // the section of the sections' names
  std::vector<Elf64_Shdr> sections;

  Elf(const char* file, std::size_t file_bytes) : bytes(file), size(file_bytes) {
    Elf64_Ehdr header;
    if (size < sizeof header) return;
    std::memcpy(&header, file, sizeof header);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_shentsize != sizeof(Elf64_Shdr) ||
        header.e_shoff > size || (size - header.e_shoff) / sizeof(Elf64_Shdr) < header.e_shnum)
      return;
    sections.resize(header.e_shnum);
    std::memcpy(sections.data(), file + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
    names = header.e_shstrndx;
  }

  bool within(const Elf64_Shdr& section) const {
    return section.sh_offset <= size && section.sh_size <= size - section.sh_offset;
  }
  // What begins at a place of a section of strings; empty: nothing does.
  std::string text(std::size_t section, std::size_t at) const {
    if (section >= sections.size() || !within(sections[section]) || at >= sections[section].sh_size) return "";
    const char* begin = bytes + sections[section].sh_offset + at;
    return std::string(begin, strnlen(begin, sections[section].sh_size - at));
  }
};

template <typename T>
T number_at(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace

std::vector<std::string> device_functions(const char* cubin, std::size_t bytes) {
  const Elf elf(cubin, bytes);
  std::vector<std::string> names;
  constexpr std::size_t max_names = 4096;
  constexpr unsigned char kernel_entry = 0x10;  // STO_CUDA_ENTRY
  for (const Elf64_Shdr& table : elf.sections) {
    if (table.sh_type != SHT_SYMTAB || !elf.within(table)) continue;
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size && names.size() < max_names;
         at += sizeof(Elf64_Sym)) {
      const auto symbol = number_at<Elf64_Sym>(cubin + table.sh_offset + at);
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || (symbol.st_other & kernel_entry) || symbol.st_value != 0 ||
          symbol.st_shndx == SHN_UNDEF)
        continue;
      if (std::string name = elf.text(table.sh_link, symbol.st_name); !name.empty()) names.push_back(std::move(name));
    }
  }
  return names;
}

// The attributes of a kernel are in a section of its name. Each is a format and a number of one byte, and then two bytes of
// value, or, of the fourth format, the size of the value that follows. That of a parameter has its index, its ordinal and its
// offset (4, 2 and
// 2 bytes), and four bytes with its size: in the upper 14 bits, of the second kind in the lower 16.
std::map<std::string, std::vector<Parameter>> kernel_parameters(const char* cubin, std::size_t bytes) {
  const Elf elf(cubin, bytes);
  constexpr std::string_view prefix = ".nv.info.";
  constexpr std::size_t max_parameters = 4096, value_bytes = 12;
  constexpr unsigned char sized = 4, parameter_info = 0x17, parameter_info_2 = 0x45;
  std::map<std::string, std::vector<Parameter>> kernels;
  for (const Elf64_Shdr& section : elf.sections) {
    const std::string name = elf.text(elf.names, section.sh_name);
    if (name.size() <= prefix.size() || name.compare(0, prefix.size(), prefix) != 0 || !elf.within(section)) continue;
    std::vector<Parameter> parameters;
    std::size_t found = 0;
    for (std::size_t at = 0; at + 4 <= section.sh_size;) {
      const char* attribute = cubin + section.sh_offset + at;
      const auto format = number_at<unsigned char>(attribute), kind = number_at<unsigned char>(attribute + 1);
      const std::size_t count = format == sized ? number_at<std::uint16_t>(attribute + 2) : 0;
      if (count > section.sh_size - at - 4) break;
      at += 4 + count;
      if (format != sized || count != value_bytes || (kind != parameter_info && kind != parameter_info_2)) continue;
      const auto ordinal = number_at<std::uint16_t>(attribute + 8);
      if (ordinal >= max_parameters) break;
      if (ordinal >= parameters.size()) parameters.resize(ordinal + std::size_t(1));
      const auto size = number_at<std::uint32_t>(attribute + 12);
      found += parameters[ordinal].bytes == 0;
      parameters[ordinal] = {number_at<std::uint16_t>(attribute + 10),
                             kind == parameter_info ? size >> 18 : size & 0xffff};
    }
    if (found == parameters.size()) kernels[name.substr(prefix.size())] = std::move(parameters);
  }
  return kernels;
}

}  // namespace twiddle_cuda
