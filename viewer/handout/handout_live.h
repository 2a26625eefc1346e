// What a handout needs to follow a sample that the reader drags: the arithmetic of the log, and which texts are which values.
#pragma once

#include "viewer/document/document.h"
#include "viewer/handout/flipbook.h"

#include <nlohmann/json.hpp>

namespace twiddle {

/// For the page's player; null where the samples cannot be dragged: see logged_arithmetic(), and where the drawing has none of
/// them with their values. `input`: the buffer of the samples, −1 for none; elements are numbered by the order of painting.
/// The player reads what an operation reads and writes from its "operations".
///
///     buffer, name   of the samples
///     handles        [mark, sample, …]: where each sample is first seen, moved perhaps, and as it is
///     type           by buffer: "f", "d", "i" or "u", and how many components
///     first          [key, re, im]: what elements that are read hold before the first operation; keys are "buffer:index"
///     factors        numbers, re and im in turn, that the operations name by number
///     steps          [form, …] of each operation: 0 what it read, in reverse where it is two; 1 the sum of it; 2 a, b → a ± wb:
///                    [2, w]; 3 → a + b, w(a − b): [3, w]; 4 w times it: [4, w]; 5 factors by result: [5, w, …]; 8 a term:
///                    [8, key, w, before]; 9 stores the sum; −1 writes nothing; −2 is not evaluated
///     texts          [element, mark, part, …]: part 0 a whole value, 1 its real part, 2 its imaginary one
///     none           texts that stand for a value that is not there yet
///     digits         of a value at most
nlohmann::json live_json(Document& document, const Flipbook& book, int input);

}  // namespace twiddle
