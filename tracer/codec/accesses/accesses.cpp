#include "tracer/codec/accesses/accesses.h"

#include "tracer/codec/accesses/access_values.h"
#include "tracer/codec/columns/compress.h"
#include "tracer/codec/columns/formula.h"
#include "tracer/trace/bytes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

namespace twiddle {
namespace {

// A shape of fewer items is written item after item: a column for each of its accesses would cost more than it saves.
constexpr std::size_t few_items = 8;
// Where the records of a shape are, in the order in which columns hold them: access after access, or item after item.
template <typename Each>
void for_each_record(const AccessShape& shape, std::span<const std::uint64_t> begin, const Each& each) {
  if (shape.items.size() < few_items) {
    for (const std::uint32_t item : shape.items)
      for (std::size_t k = 0; k < shape.sites.size(); ++k) each(shape.sites[k], begin[item] + k);
    return;
  }
  for (std::size_t k = 0; k < shape.sites.size(); ++k)
    for (const std::uint32_t item : shape.items) each(shape.sites[k], begin[item] + k);
}

FormulaSources sources_of(const AccessShape& shape) {
  FormulaSources sources;
  sources.count = static_cast<std::uint32_t>(shape.items.size());
  sources.columns.push_back(shape.items.data());
  return sources;
}

void write_places(ByteWriter& out, std::span<const std::int32_t> buffers, std::span<const std::uint64_t> offsets) {
  std::vector<std::uint64_t> steps(offsets.size());
  for (std::size_t i = 0; i < offsets.size(); ++i) steps[i] = offsets[i] - (i ? offsets[i - 1] : 0);
  out.string(compress(std::as_bytes(buffers), sizeof(std::int32_t)));
  out.string(compress(std::as_bytes(std::span(steps)), sizeof(std::uint64_t)));
}

void read_places(ByteReader& in, std::span<std::int32_t> buffers, std::span<std::uint64_t> offsets) {
  decompress(in.string(), sizeof(std::int32_t), std::as_writable_bytes(buffers));
  decompress(in.string(), sizeof(std::uint64_t), std::as_writable_bytes(offsets));
  for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
}

// Values as they were, shape by shape, each width's together.
void read_plain_values(ByteReader& in, AccessLog& log, std::span<const AccessShape> shapes,
                       std::span<const AccessSite> sites) {
  constexpr std::array<std::size_t, 4> widths = {1, 2, 4, 8};
  const auto width_class = [&](std::uint32_t site) {
    return static_cast<std::size_t>(std::countr_zero(value_width(sites[site])));
  };
  std::array<std::uint64_t, widths.size()> of_width{};
  for (const std::uint32_t site : log.site) ++of_width[width_class(site)];
  std::array<std::vector<std::byte>, widths.size()> values;
  for (std::size_t w = 0; w < widths.size(); ++w) {
    values[w].resize(of_width[w] * widths[w]);
    decompress(in.string(), widths[w], values[w]);
  }
  std::array<std::size_t, widths.size()> taken{};
  for (const AccessShape& shape : shapes)
    for_each_record(shape, log.begin, [&](std::uint32_t site, std::uint64_t at) {
      const std::size_t w = width_class(site);
      std::copy_n(values[w].begin() + static_cast<std::ptrdiff_t>(taken[w]), widths[w],
                  std::as_writable_bytes(std::span(&log.value[at], 1)).begin());
      taken[w] += widths[w];
    });
}

}  // namespace

std::vector<std::byte> encode_accesses(const AccessLog& log, std::uint64_t first, std::uint64_t count,
                                       std::span<const AccessSite> sites, const LaunchValues* known) {
  std::map<std::vector<std::uint32_t>, std::uint32_t> of_sites;
  std::vector<AccessShape> shapes;
  std::vector<std::uint32_t> shape_of_item(count);
  const std::span<const std::uint64_t> begin = std::span(log.begin).subspan(first, count + 1);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::span<const std::uint32_t> own = std::span(log.site).subspan(begin[i], begin[i + 1] - begin[i]);
    // Neighbours are mostly alike.
    if (i > 0 && std::equal(own.begin(), own.end(), shapes[shape_of_item[i - 1]].sites.begin(),
                            shapes[shape_of_item[i - 1]].sites.end())) {
      shape_of_item[i] = shape_of_item[i - 1];
    } else {
      const auto [at, added] =
          of_sites.try_emplace({own.begin(), own.end()}, static_cast<std::uint32_t>(shapes.size()));
      if (added) shapes.push_back({at->first, {}});
      shape_of_item[i] = at->second;
    }
    shapes[shape_of_item[i]].items.push_back(static_cast<std::uint32_t>(i));
  }

  ByteWriter out;
  out.number(shapes.size());
  std::vector<std::uint32_t> all_sites;
  for (const AccessShape& shape : shapes) {
    out.number(shape.sites.size());
    all_sites.insert(all_sites.end(), shape.sites.begin(), shape.sites.end());
  }
  out.string(compress(std::as_bytes(std::span(all_sites)), sizeof(std::uint32_t)));
  FormulaSources rows;
  rows.count = static_cast<std::uint32_t>(count);
  write_numbers(out, shape_of_item, rows);

  for (const AccessShape& shape : shapes) {
    std::vector<std::int32_t> buffers;
    std::vector<std::uint64_t> offsets;
    const bool columns = shape.items.size() >= few_items;
    const auto flush = [&] {
      if (offsets.empty()) return;
      if (columns) {
        const bool narrow = std::all_of(offsets.begin(), offsets.end(), [](std::uint64_t o) { return o >> 32 == 0; });
        const bool one = std::equal(buffers.begin() + 1, buffers.end(), buffers.begin());
        out.byte(narrow && one);
        if (narrow && one) {
          out.number(static_cast<std::uint64_t>(std::int64_t{buffers[0]} + 1));
          write_numbers(out, std::vector<std::uint32_t>(offsets.begin(), offsets.end()), sources_of(shape));
          buffers.clear();
          offsets.clear();
          return;
        }
      }
      write_places(out, buffers, offsets);
      buffers.clear();
      offsets.clear();
    };
    for_each_record(shape, begin, [&](std::uint32_t site, std::uint64_t at) {
      if (!touches_memory(sites[site].kind)) return;
      buffers.push_back(log.buffer[at]);
      offsets.push_back(log.offset[at]);
      if (columns && offsets.size() == shape.items.size()) flush();
    });
    flush();
  }
  write_access_values(out, log, begin, log.first_item + first, shapes, sites, known);
  return out.take();
}

AccessLog decode_accesses(std::span<const std::byte> bytes, std::uint64_t first_item, std::uint64_t items,
                          std::uint64_t records, std::span<const AccessSite> sites, std::size_t buffers,
                          AccessFormat format, const FindLaunchValues& find) {
  ByteReader in(bytes);
  std::vector<AccessShape> shapes(in.number_up_to(items));
  std::uint64_t length = 0;
  for (AccessShape& shape : shapes) {
    shape.sites.resize(in.number_up_to(records - std::min(records, length)));
    length += shape.sites.size();
  }
  std::vector<std::uint32_t> all_sites(length);
  decompress(in.string(), sizeof(std::uint32_t), std::as_writable_bytes(std::span(all_sites)));
  auto next = all_sites.begin();
  for (AccessShape& shape : shapes)
    for (std::uint32_t& site : shape.sites) {
      site = *next++;
      if (site >= sites.size()) throw unreadable("an access of the trace has no place in its kernel");
    }
  FormulaSources rows;
  rows.count = static_cast<std::uint32_t>(items);
  std::vector<std::uint32_t> shape_of_item(items);
  read_numbers(in, rows, shape_of_item);

  AccessLog log;
  log.first_item = first_item;
  log.begin.resize(items + 1);
  for (std::uint64_t i = 0; i < items; ++i) {
    if (shape_of_item[i] >= shapes.size()) throw unreadable("accesses of the trace have no shape");
    AccessShape& shape = shapes[shape_of_item[i]];
    shape.items.push_back(static_cast<std::uint32_t>(i));
    log.begin[i + 1] = log.begin[i] + shape.sites.size();
    if (log.begin[i + 1] > records) throw unreadable("the trace has more accesses than it says");
  }
  if (log.begin[items] != records) throw unreadable("the trace has fewer accesses than it says");
  log.site.resize(records);
  log.buffer.assign(records, -1);
  log.offset.resize(records);
  log.value.resize(records);

  for (const AccessShape& shape : shapes) {
    std::vector<std::uint64_t> places;
    const bool columns = shape.items.size() >= few_items;
    const auto fetch = [&] {
      if (places.empty()) return;
      if (columns && in.byte()) {
        const auto buffer = static_cast<std::int32_t>(in.number_up_to(buffers)) - 1;
        std::vector<std::uint32_t> column(places.size());
        read_numbers(in, sources_of(shape), column);
        for (std::size_t i = 0; i < places.size(); ++i) {
          log.buffer[places[i]] = buffer;
          log.offset[places[i]] = column[i];
        }
      } else {
        std::vector<std::int32_t> which(places.size());
        std::vector<std::uint64_t> offsets(places.size());
        read_places(in, which, offsets);
        for (std::size_t i = 0; i < places.size(); ++i) {
          if (which[i] < -1 || which[i] >= static_cast<std::int64_t>(buffers))
            throw unreadable("an access of the trace has no buffer");
          log.buffer[places[i]] = which[i];
          log.offset[places[i]] = offsets[i];
        }
      }
      places.clear();
    };
    for_each_record(shape, log.begin, [&](std::uint32_t site, std::uint64_t at) {
      log.site[at] = site;
      if (!touches_memory(sites[site].kind)) return;
      places.push_back(at);
      if (columns && places.size() == shape.items.size()) fetch();
    });
    fetch();
  }
  if (format == AccessFormat::PlainValues)
    read_plain_values(in, log, shapes, sites);
  else
    read_access_values(in, log, shapes, sites, find);
  return log;
}

AccessLog decode_accesses(std::span<const std::byte> bytes, const AccessEntry& entry, const TraceInfo& info,
                          AccessFormat format, LaunchValuesFinder& finder) {
  AccessLog log =
      decode_accesses(bytes, entry.first_item, entry.items, entry.records, info.access_sites, info.buffers.size(),
                      format, [&] { return finder.find(entry.launch, entry.first_item, entry.items); });
  log.sites = info.access_sites;
  return log;
}

}  // namespace twiddle
