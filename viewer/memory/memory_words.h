// What is written into the elements of a picture of memory: their values, who wrote them last, their names.
#pragma once

#include "viewer/document/request.h"
#include "viewer/views/view_frame.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace twiddle {

/// What one access of a request costs: "4 sectors, 128 of 128 bytes used"; of local memory "2 passes, 1 at best: degree 2".
std::string cost_text(const RequestCost& cost, bool local);
/// What an operation's accesses of a buffer cost with those of its sub-group (request_of): "read a, read b: 2 sectors, 32 of
/// 64 bytes used; write 1, write 2: …", and of local memory "read: 2 passes, no bank conflict".
std::string cost_text(const TraceInfo& info, const Operation& now, const std::vector<Operation>& request, int buffer);
/// How an operation that touches a buffer reads: "Stride 2 = 16 bytes. Read from data[4] and data[5]. Load a uses half of each
/// sector, load b the other half."; the second sentence where it reads another buffer.
std::string access_text(const TraceInfo& info, const Operation& now, const std::vector<Operation>& request, int buffer);

/// How an element was written last.
struct LastTouch {
  std::uint64_t step = 0, item = 0;
  int launch = 0, segment = -1;
};

/// The same form in each of them, so that what is left blank has nothing to say.
class ElementWords {
 public:
  /// For elements of one size, px, in one picture.
  ElementWords(const ViewFrame& frame, const BufferInfo& buffer, const std::map<std::uint64_t, LastTouch>& writers,
               float width, float height);
  /// Whether complex values can be written real above imaginary; they all are when one of them would not fit in one line.
  bool may_split() const { return may_split_; }
  void make_room_for(const Value& value);
  /// The value, and below it the last writer, as far as they fit; null: not known, no writer.
  /// Whether there is a value that did not fit, and a sign for it.
  bool draw(ViewFrame& frame, std::uint64_t index, const Box& box, const Value* value, const LastTouch* writer,
            Role ink) const;

 private:
  enum class Who : std::uint8_t { None, Item, Launch };  // no writer, "I5", "L2.I5"
  std::vector<std::string> value_lines(const Value& value) const;
  float name_room(const ViewFrame& frame) const;
  std::string writer_text(const LastTouch* writer) const;

  const BufferInfo& buffer_;
  Font font_;
  float value_room_ = 0;  // px
  int lines_ = 0;         // that an element has room for
  bool named_ = false;    // its name, in the corner
  bool may_split_ = false, split_ = false;
  Who who_ = Who::None;
};

}  // namespace twiddle
