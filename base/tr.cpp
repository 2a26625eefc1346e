#include "base/tr.h"

#include "base/paths.h"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>

namespace twiddle {
namespace {

constexpr std::size_t max_catalogue = 4 << 20;

struct Catalogue {
  std::string code;
  TextsOfALanguage entries;
};

Catalogue load(std::string_view code) {
  Catalogue catalogue{std::string(code), {}};
  if (code == "en") return catalogue;
  std::ifstream in(locale_directory() / code / "LC_MESSAGES" / "twiddle.mo", std::ios::binary);
  std::string bytes;
  bytes.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  if (bytes.size() <= max_catalogue) catalogue.entries = read_catalogue(bytes);
  return catalogue;
}

std::atomic<const Catalogue*> current = nullptr;

// Catalogues stay once they are loaded, so that texts handed out stay, too.
const Catalogue& catalogue_of(std::string_view code) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<const Catalogue>, std::less<>> loaded;
  const std::lock_guard lock(mutex);
  auto found = loaded.find(code);
  if (found == loaded.end())
    found = loaded.emplace(std::string(code), std::make_unique<const Catalogue>(load(code))).first;
  return *found->second;
}

const char* translated(const char* text, const TextsOfALanguage* texts) {
  if (!texts) return text;
  const auto found = texts->find(std::string_view(text));
  return found == texts->end() ? text : found->second.c_str();
}

}  // namespace

const char* tr(const char* text) { return translated(text, current_texts()); }
const char* tr_in(std::string_view language, const char* text) { return translated(text, texts_of(language)); }

const char* tr_plural(std::uint64_t count, const char* one, const char* many) {
  const char* translated = tr(one);
  return translated == one && count != 1 ? many : translated;
}

void set_language(std::string_view code) { current.store(&catalogue_of(code), std::memory_order_release); }

std::string_view language_code() {
  const Catalogue* catalogue = current.load(std::memory_order_acquire);
  return catalogue ? std::string_view(catalogue->code) : "en";
}

const TextsOfALanguage* current_texts() {
  const Catalogue* catalogue = current.load(std::memory_order_acquire);
  return catalogue ? &catalogue->entries : nullptr;
}

const TextsOfALanguage* texts_of(std::string_view code) { return &catalogue_of(code).entries; }

TextsOfALanguage read_catalogue(std::string_view bytes) {
  // The format of GNU gettext: magic, revision, the number of texts, the offsets of their table and of that of the
  // translations; each table has (length, offset) pairs. 32-bit numbers in the byte order of the magic.
  TextsOfALanguage entries;
  const auto raw = [&](std::size_t at) -> std::uint32_t {
    std::uint32_t value = 0;
    if (at + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  };
  const std::uint32_t magic = raw(0);
  const bool swapped = magic == 0xde120495;
  if (magic != 0x950412de && !swapped) return entries;
  const auto number = [&](std::size_t at) {
    const std::uint32_t value = raw(at);
    return swapped ? value >> 24 | (value >> 8 & 0xFF00) | (value << 8 & 0xFF0000) | value << 24 : value;
  };
  const auto text = [&](std::size_t table) -> std::string_view {
    const std::size_t length = number(table), offset = number(table + 4);
    if (offset > bytes.size() || length > bytes.size() - offset) return {};
    return bytes.substr(offset, length);
  };
  const std::size_t count = number(8), texts = number(12), translations = number(16);
  const auto holds = [&](std::size_t table) { return table <= bytes.size() && count <= (bytes.size() - table) / 8; };
  if (!holds(texts) || !holds(translations)) return entries;
  for (std::size_t i = 0; i < count; ++i) {
    // Of a text with plural forms both sides are lists with zeros between.
    const auto first = [](std::string_view list) { return list.substr(0, list.find('\0')); };
    const std::string_view from = first(text(texts + 8 * i)), to = first(text(translations + 8 * i));
    if (!from.empty() && !to.empty()) entries.emplace(from, to);
  }
  return entries;
}

}  // namespace twiddle
