#include "tracer/cuda/log/cubin.h"

#include "base/error.h"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace twiddle {
namespace {

constexpr std::size_t max_rows = std::size_t(1) << 24;  // of all line tables of a cubin

[[noreturn]] void damaged_cubin() { throw unreadable("A recorded module is damaged"); }

// Bytes that are read one after the other, never past their end.
class CubinBytes {
 public:
  explicit CubinBytes(std::string_view bytes) : bytes_(bytes) {}

  bool more() const { return at_ < bytes_.size(); }
  std::size_t position() const { return at_; }
  std::string_view take(std::size_t count) {
    if (count > bytes_.size() - at_) damaged_cubin();
    const std::string_view part = bytes_.substr(at_, count);
    at_ += count;
    return part;
  }
  template <typename T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::uint64_t unsigned_leb() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = get<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t(byte & 127) << shift;
      if (!(byte & 128)) return value;
    }
  }
  std::int64_t signed_leb() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = get<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t(byte & 127) << shift;
      if (byte & 128) continue;
      if ((byte & 64) && shift + 7 < 64) value |= ~std::uint64_t(0) << (shift + 7);
      return static_cast<std::int64_t>(value);
    }
  }
  std::string_view text() {
    const std::size_t end = bytes_.find('\0', at_);
    if (end == std::string_view::npos) damaged_cubin();
    const std::string_view found = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return found;
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

struct ElfFile {
  std::vector<Elf64_Shdr> sections;
  std::vector<std::string_view> names;
  std::string_view bytes;

  std::string_view content(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS) return {};
    if (section.sh_offset > bytes.size() || section.sh_size > bytes.size() - section.sh_offset) damaged_cubin();
    return bytes.substr(section.sh_offset, section.sh_size);
  }
  std::string_view string_at(const Elf64_Shdr& table, std::uint64_t at) const {
    const std::string_view text = content(table);
    if (at >= text.size()) damaged_cubin();
    return text.substr(at, text.find('\0', at) - at);
  }
};

template <typename T>
std::vector<T> table_of(std::string_view bytes) {
  std::vector<T> rows(bytes.size() / sizeof(T));
  if (!rows.empty()) std::memcpy(rows.data(), bytes.data(), rows.size() * sizeof(T));
  return rows;
}

ElfFile read_elf(std::string_view bytes) {
  Elf64_Ehdr header;
  if (bytes.size() < sizeof header) damaged_cubin();
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shoff > bytes.size() ||
      (bytes.size() - header.e_shoff) / sizeof(Elf64_Shdr) < header.e_shnum || header.e_shstrndx >= header.e_shnum)
    damaged_cubin();
  ElfFile elf;
  elf.bytes = bytes;
  elf.sections = table_of<Elf64_Shdr>(bytes.substr(header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr)));
  for (const Elf64_Shdr& section : elf.sections)
    elf.names.push_back(elf.string_at(elf.sections[header.e_shstrndx], section.sh_name));
  return elf;
}

// Where the line table's addresses point: a section and an offset in it, by the address' place in the table.
using Relocations = std::map<std::uint64_t, std::pair<std::string_view, std::uint64_t>>;

std::string_view function_of(std::string_view section) {
  constexpr std::string_view prefix = ".text.";
  return section.substr(0, prefix.size()) == prefix ? section.substr(prefix.size()) : std::string_view();
}

// One unit of a DWARF line table, versions 2 to 4, as NVIDIA's assembler writes them.
class LineProgram {
 public:
  LineProgram(std::string_view table, const Relocations& relocations, Cubin& functions, std::size_t& rows)
      : table_(table), relocations_(relocations), functions_(functions), rows_(rows) {}

  // Runs the unit that begins at `start` of the section.
  void run(std::uint64_t start) {
    CubinBytes in(table_);
    const auto version = in.get<std::uint16_t>();
    if (version < 2 || version > 4) return;  // of a toolkit to come: no lines, and all else is as good
    const auto header_bytes = in.get<std::uint32_t>();
    const std::size_t program = in.position() + header_bytes;
    step_ = in.get<std::uint8_t>();
    if (version >= 4) in.get<std::uint8_t>();
    in.get<std::uint8_t>();
    line_base_ = in.get<std::int8_t>();
    line_range_ = in.get<std::uint8_t>();
    const int opcode_base = in.get<std::uint8_t>();
    if (line_range_ == 0 || opcode_base == 0) damaged_cubin();
    std::vector<int> operands{0};
    for (int i = 1; i < opcode_base; ++i) operands.push_back(in.get<std::uint8_t>());
    std::vector<std::string> folders{""};
    for (std::string_view text = in.text(); !text.empty(); text = in.text()) folders.emplace_back(text);
    files_ = {""};
    for (std::string_view text = in.text(); !text.empty(); text = in.text()) {
      const std::uint64_t folder = in.unsigned_leb();
      in.unsigned_leb();
      in.unsigned_leb();
      const std::string inside = folder < folders.size() && !folders[folder].empty() ? folders[folder] + "/" : "";
      files_.push_back(inside + std::string(text));
    }
    if (program > table_.size() || program < in.position()) damaged_cubin();
    in.take(program - in.position());
    reset();
    while (in.more()) {
      const int opcode = in.get<std::uint8_t>();
      if (opcode >= opcode_base)
        special(opcode - opcode_base);
      else if (opcode == 0)
        extended(in, start);
      else
        standard(in, opcode, opcode_base, operands);
    }
  }

 private:
  void reset() {
    function_ = nullptr;
    address_ = 0;
    file_ = 1;
    line_ = 1;
  }
  void row() {
    if (!function_) return;
    if (++rows_ > max_rows) damaged_cubin();
    function_->lines.push_back({address_, file_ < files_.size() ? files_[file_] : "", static_cast<int>(line_)});
  }
  void special(int adjusted) {
    address_ += std::uint64_t(adjusted / line_range_) * step_;
    line_ += line_base_ + adjusted % line_range_;
    row();
  }
  void extended(CubinBytes& in, std::uint64_t start) {
    const std::uint64_t count = in.unsigned_leb();
    const std::size_t at = in.position();
    const std::string_view body = in.take(count);
    if (body.empty()) return;
    if (body[0] == 1) {
      row();
      reset();
    } else if (body[0] == 2 && body.size() >= 9) {
      std::memcpy(&address_, body.data() + 1, 8);
      const auto target = relocations_.find(start + at + 1);
      const auto found =
          target == relocations_.end() ? functions_.end() : functions_.find(function_of(target->second.first));
      function_ = found == functions_.end() ? nullptr : &found->second;
      if (function_) address_ += target->second.second;
    }
  }
  void standard(CubinBytes& in, int opcode, int opcode_base, const std::vector<int>& operands) {
    switch (opcode) {
      case 1: row(); break;
      case 2: address_ += in.unsigned_leb() * step_; break;
      case 3: line_ += in.signed_leb(); break;
      case 4: file_ = in.unsigned_leb(); break;
      case 8: address_ += std::uint64_t((255 - opcode_base) / line_range_) * step_; break;
      case 9: address_ += in.get<std::uint16_t>(); break;
      default:
        for (int i = 0; i < operands[static_cast<std::size_t>(opcode)]; ++i) in.unsigned_leb();
    }
  }

  std::string_view table_;
  const Relocations& relocations_;
  Cubin& functions_;
  std::size_t& rows_;
  std::vector<std::string> files_;
  std::uint64_t step_ = 1, address_ = 0, file_ = 1;
  int line_base_ = 0, line_range_ = 1;
  std::int64_t line_ = 1;
  CubinFunction* function_ = nullptr;
};

void read_lines(const ElfFile& elf, const Elf64_Shdr* symbols, Cubin& functions) {
  const auto at = std::find(elf.names.begin(), elf.names.end(), ".debug_line");
  if (at == elf.names.end() || !symbols) return;
  const auto index = static_cast<std::size_t>(at - elf.names.begin());
  const std::string_view table = elf.content(elf.sections[index]);
  const auto all_symbols = table_of<Elf64_Sym>(elf.content(*symbols));
  Relocations relocations;
  const auto relocate = [&](std::uint64_t offset, std::uint64_t info, std::uint64_t addend) {
    const std::uint64_t symbol = ELF64_R_SYM(info);
    if (symbol >= all_symbols.size() || all_symbols[symbol].st_shndx >= elf.sections.size()) return;
    relocations[offset] = {elf.names[all_symbols[symbol].st_shndx], all_symbols[symbol].st_value + addend};
  };
  for (const Elf64_Shdr& section : elf.sections) {
    if (section.sh_info != index) continue;
    if (section.sh_type == SHT_RELA)
      for (const Elf64_Rela& r : table_of<Elf64_Rela>(elf.content(section)))
        relocate(r.r_offset, r.r_info, static_cast<std::uint64_t>(r.r_addend));
    if (section.sh_type == SHT_REL)
      for (const Elf64_Rel& r : table_of<Elf64_Rel>(elf.content(section))) relocate(r.r_offset, r.r_info, 0);
  }
  std::size_t rows = 0;
  CubinBytes in(table);
  while (in.more()) {
    const auto length = in.get<std::uint32_t>();
    const std::size_t start = in.position();
    LineProgram(in.take(length), relocations, functions, rows).run(start);
  }
  for (auto& [name, function] : functions)
    std::stable_sort(function.lines.begin(), function.lines.end(),
                     [](const CubinLine& a, const CubinLine& b) { return a.offset < b.offset; });
}

// Instructions are 16 bytes: the operation is in the lowest 12 bits, a memory access's order in bits 77 to 80 (as Mesa's
// compiler for these GPUs, NAK, writes them).
void read_orders(std::string_view code, CubinFunction& function) {
  constexpr std::uint64_t instruction_bytes = 16;
  // The assembler has lanes do an atomic operation together: it asks which are active, reduces their values, and one does it. The
  // program asked for none of that.
  bool gathers = false;
  for (std::uint64_t at = 0; at + instruction_bytes <= code.size(); at += instruction_bytes) {
    std::uint64_t low = 0, high = 0;
    std::memcpy(&low, code.data() + at, sizeof low);
    std::memcpy(&high, code.data() + at + sizeof low, sizeof high);
    switch (low & 0xfff) {
      case 0x992:  // MEMBAR
      case 0x98f:  // CCTL
        function.fences.push_back(at);
        break;
      case 0x380:  // LD
      case 0x980:
      case 0x381:  // LDG
      case 0x981:
      case 0x385:  // ST
      case 0x985:
      case 0x386:  // STG
      case 0x986: {
        const std::uint64_t order = high >> 13 & 15;
        if (order == 0x5 || order == 0x7 || order == 0xa) function.strong.push_back(at);
        break;
      }
      case 0x806:    // VOTE
      case 0x886: {  // VOTEU
        // Of the predicate that is always true it asks nothing but which lanes are active.
        const bool always = (high >> 23 & 15) == 7;
        if (!always) function.votes.push_back(at);
        gathers = gathers || (always && (low & 0xfff) == 0x886);
        break;
      }
      case 0x3a1:  // MATCH
        function.votes.push_back(at);
        break;
      case 0x2cc:  // CREDUX
      case 0x3c4:  // REDUX
        if (!gathers) function.votes.push_back(at);
        break;
      case 0x98e:  // RED
      case 0x3a8:  // ATOMG
      case 0x9a8: gathers = false; break;
      default: break;
    }
  }
}

}  // namespace

const CubinLine* CubinFunction::line_at(std::uint64_t offset) const {
  const auto after = std::upper_bound(lines.begin(), lines.end(), offset,
                                      [](std::uint64_t value, const CubinLine& line) { return value < line.offset; });
  return after == lines.begin() || offset >= bytes ? nullptr : &*(after - 1);
}

Cubin read_cubin(std::string_view bytes) {
  const ElfFile elf = read_elf(bytes);
  Cubin functions;
  const Elf64_Shdr* symbols = nullptr;
  for (std::size_t i = 0; i < elf.sections.size(); ++i) {
    if (elf.sections[i].sh_type == SHT_SYMTAB) symbols = &elf.sections[i];
    if (const std::string_view name = function_of(elf.names[i]); !name.empty()) {
      functions[std::string(name)].bytes = elf.sections[i].sh_size;
      read_orders(elf.content(elf.sections[i]), functions[std::string(name)]);
    }
  }
  constexpr std::string_view shared = ".nv.shared.";
  for (std::size_t i = 0; i < elf.sections.size(); ++i)
    if (elf.names[i].substr(0, shared.size()) == shared)
      if (const auto of = functions.find(elf.names[i].substr(shared.size())); of != functions.end())
        of->second.shared_bytes = elf.sections[i].sh_size;
  if (symbols && symbols->sh_link < elf.sections.size())
    for (const Elf64_Sym& symbol : table_of<Elf64_Sym>(elf.content(*symbols))) {
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx >= elf.sections.size()) continue;
      const auto of = functions.find(function_of(elf.names[symbol.st_shndx]));
      std::string name(elf.string_at(elf.sections[symbols->sh_link], symbol.st_name));
      if (of == functions.end() || name == of->first) continue;
      of->second.parts.push_back({symbol.st_value, symbol.st_size, name.substr(name.rfind('$') + 1)});
    }
  read_lines(elf, symbols, functions);
  return functions;
}

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text ? text.get() : name;
}

}  // namespace twiddle
