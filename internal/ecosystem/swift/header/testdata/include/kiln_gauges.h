#include "kiln.h"

#define KILN_NAME(name) kiln_gauge_ ## name
#define KILN_GAUGE(type, name)                                        \
  struct KILN_NAME(name); /* declared by each program */               \
  type KILN_NAME(name ## _read)(struct KILN_NAME(name) *_Nonnull gauge); \
  static inline void KILN_NAME(name ## _clear)(struct KILN_NAME(name) *gauge, type value) { (void)gauge; }

/// Gauges of the chamber.
KILN_GAUGE(double, chamber)
KILN_GAUGE(unsigned long long, clock)

#undef KILN_GAUGE

#define KILN_COLOURS(X) \
  X(0, RED, "dull red") \
  X(1, WHITE, "white, with a blue edge")

enum kiln_colour {
#define X(number, name, text) KILN_ ## name = number,
  KILN_COLOURS(X)
#undef X
};

#define KILN_FIELDS int serial; const char *maker;

struct kiln_plate {
  KILN_FIELDS
  int year;
};

#define KILN_LOG(level, ...) int kiln_log_##level(__VA_ARGS__);
KILN_LOG(hot, const char *format, int line)

// Not as many arguments as the macro takes.
KILN_NAME(a, b);
