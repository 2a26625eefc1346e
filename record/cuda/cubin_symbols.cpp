#include "record/cuda/cubin_symbols.h"

#include <elf.h>

#include <cstring>

namespace twiddle_cuda {

std::vector<std::string> device_functions(const char* cubin, std::size_t bytes) {
  std::vector<std::string> names;
  Elf64_Ehdr header;
  if (bytes < sizeof header) return names;
  std::memcpy(&header, cubin, sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_shentsize != sizeof(Elf64_Shdr) ||
      header.e_shoff > bytes || (bytes - header.e_shoff) / sizeof(Elf64_Shdr) < header.e_shnum)
    return names;
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), cubin + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  const auto within = [&](const Elf64_Shdr& section) {
    return section.sh_offset <= bytes && section.sh_size <= bytes - section.sh_offset;
  };
  constexpr std::size_t max_names = 4096;
  constexpr unsigned char kernel_entry = 0x10;  // STO_CUDA_ENTRY
  for (const Elf64_Shdr& table : sections) {
    if (table.sh_type != SHT_SYMTAB || !within(table) || table.sh_link >= sections.size()) continue;
    const Elf64_Shdr& strings = sections[table.sh_link];
    if (!within(strings)) continue;
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size && names.size() < max_names;
         at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, cubin + table.sh_offset + at, sizeof symbol);
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || (symbol.st_other & kernel_entry) || symbol.st_value != 0 ||
          symbol.st_shndx == SHN_UNDEF || symbol.st_name >= strings.sh_size)
        continue;
      const char* name = cubin + strings.sh_offset + symbol.st_name;
      names.emplace_back(name, strnlen(name, strings.sh_size - symbol.st_name));
    }
  }
  return names;
}

}  // namespace twiddle_cuda
