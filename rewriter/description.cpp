#include "rewriter/description.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace twiddle::rewriter {
namespace {

using llvm::json::OStream;

void text(OStream& json, const char* key, const std::string& value) {
  json.attribute(key, llvm::json::isUTF8(value) ? value : llvm::json::fixUTF8(value));
}

void place(OStream& json, const Written& at) {
  json.attribute("file", at.file);
  json.attribute("line", at.line);
  json.attribute("column", at.column);
}

void write(OStream& json, const Site& site) {
  text(json, "kind", site.kind);
  text(json, "space", site.space);
  text(json, "type", site.type);
  json.attribute("components", static_cast<std::int64_t>(site.components));
  json.attribute("chunk", static_cast<std::int64_t>(site.chunk));
  text(json, "order", site.order);
  text(json, "scope", site.scope);
  json.attribute("volatile", site.is_volatile);
  place(json, site.at);
  text(json, "function", site.function);
  text(json, "text", site.text);
  json.attribute("variable", site.variable);
  text(json, "texel", site.texel);
}

void write(OStream& json, const Variable& variable) {
  text(json, "space", variable.space);
  text(json, "name", variable.name);
  text(json, "function", variable.function);
  text(json, "type", variable.type);
  json.attribute("element_bytes", static_cast<std::int64_t>(variable.element_bytes));
  json.attribute("bytes", static_cast<std::int64_t>(variable.bytes));
  json.attribute("initialised", variable.initialised);
  json.attribute("slot", variable.slot);
  json.attribute("site", variable.site);
}

template <typename All>
void texts(OStream& json, const char* key, const All& all) {
  json.attributeArray(key, [&] {
    for (const std::string& one : all) json.value(llvm::json::isUTF8(one) ? one : llvm::json::fixUTF8(one));
  });
}

void write(OStream& json, const Kernel& kernel) {
  text(json, "name", kernel.name);
  json.attribute("led", kernel.led);
  texts(json, "functions", kernel.functions);
  json.attributeArray("parameters", [&] {
    for (const Parameter& parameter : kernel.parameters)
      json.object([&] {
        text(json, "name", parameter.name);
        text(json, "space", parameter.space);
        json.attribute("slot", parameter.slot);
        json.attribute("read_only", parameter.read_only);
      });
  });
}

void write(OStream& json, const Unlogged& unlogged) {
  place(json, unlogged.at);
  text(json, "reason", unlogged.reason);
  text(json, "function", unlogged.function);
}

template <typename All>
void list(OStream& json, const char* key, const All& all) {
  json.attributeArray(key, [&] {
    for (const auto& one : all) json.object([&] { write(json, one); });
  });
}

}  // namespace

std::string json_of(const Description& description, const FlatSource& flat) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  OStream json(stream);
  json.object([&] {
    text(json, "version", TWIDDLE_VERSION);
    list(json, "sites", description.sites);
    list(json, "variables", description.variables);
    list(json, "kernels", description.kernels);
    list(json, "unlogged", description.unlogged);
    texts(json, "files", flat.files);
    texts(json, "tested", flat.tested);
    json.attribute("bases", description.bases);
    json.attribute("group_bases", description.group_bases);
  });
  stream.flush();
  return out;
}

}  // namespace twiddle::rewriter
