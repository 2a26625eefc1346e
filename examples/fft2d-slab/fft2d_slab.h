/* The points that are transformed, and how far a result is from the sums that define it: the same for every device. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* Point (row, column) of the input. */
static void point(int row, int column, float* re, float* im) {
  *re = (float)sin(0.7 * row + 1.9 * column + 1);
  *im = (float)cos(1.3 * row * column + 2);
}

/* Sums that define a transform: of `rows` rows of n points, out[row][k] = sum over j of in[row][j] e^(-2 pi i j k / n). */
static void direct(const double* in, double* out, int rows, int n) {
  for (int row = 0; row < rows; row++)
    for (int k = 0; k < n; k++) {
      double re = 0, im = 0;
      for (int j = 0; j < n; j++) {
        double c = cos(2 * pi * ((long)j * k % n) / n), s = -sin(2 * pi * ((long)j * k % n) / n);
        double a = in[2 * (row * n + j)], b = in[2 * (row * n + j) + 1];
        re += a * c - b * s, im += a * s + b * c;
      }
      /* transposed, so that the same again transforms the columns */
      out[2 * (k * rows + row)] = re, out[2 * (k * rows + row) + 1] = im;
    }
}

/* How far the result is from the sums, relative. `columns` has whole columns, one after another. */
static double error_of(const float* columns, int n) {
  size_t numbers = 2 * (size_t)n * (size_t)n;
  double *in = (double*)calloc(numbers, sizeof *in), *half = (double*)calloc(numbers, sizeof *half),
         *all = (double*)calloc(numbers, sizeof *all);
  for (int row = 0; row < n; row++)
    for (int column = 0; column < n; column++) {
      float re, im;
      point(row, column, &re, &im);
      in[2 * (row * n + column)] = re, in[2 * (row * n + column) + 1] = im;
    }
  direct(in, half, n, n);  /* half[column][row] */
  direct(half, all, n, n); /* all[row][column] */
  double off = 0, size = 0;
  for (int row = 0; row < n; row++)
    for (int column = 0; column < n; column++)
      for (int part = 0; part < 2; part++) {
        double is = columns[2 * (column * n + row) + part], should = all[2 * (row * n + column) + part];
        off += (is - should) * (is - should), size += should * should;
      }
  free(in), free(half), free(all);
  return sqrt(off / size);
}

/* The first process's last words: the error, and the spectrum into a file if one is named. Returns the exit code. */
static int report(const float* columns, int n, int processes, const char* file) {
  double error = error_of(columns, n);
  int wrong = !(error < 1e-5);
  printf("%d x %d points over %d processes: relative error %.2g%s\n", n, n, processes, error,
         wrong ? ", too large" : "");
  if (!file) return wrong;
  FILE* out = fopen(file, "wb");
  size_t numbers = 2 * (size_t)n * (size_t)n;
  int written = out && fwrite(columns, sizeof *columns, numbers, out) == numbers;
  if ((out && fclose(out) != 0) || !written) return fprintf(stderr, "fft2d-slab: cannot write %s\n", file), 1;
  return wrong;
}
