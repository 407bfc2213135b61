/*
 * Copyright (c) the makers of kilns.
 */
#ifndef KILN_H
#define KILN_H

/**
 * @file kiln.h
 * @brief Fires clay.
 */

#include "kiln_macros.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the library. */
#define KILN_VERSION "2.1"
#define KILN_MAX_CELSIUS (1300 + 20) /* more melts it */
#define KILN_FLAG(n) (1 << (n))
#define _KILN_PRIVATE 1
#define KILN_LOOP(x) do { x; \
  } while (0)

/// A kiln.
typedef struct kiln kiln_t;

/**
 * What a kiln is made with.
 */
typedef struct kiln_options {
  /** The volume in litres; 50 if it is 0. */
  unsigned litres : 8;
  double celsius, /* the target */ tolerance;
  const char *name; ///< A name, not copied.
  void (*on_done)(kiln_t *kiln, void *context);
  int zones[4];
  union {
    int gas;
    struct { int volts; } electric;
  } source;
  struct { int hidden_depth; };
} kiln_options_t, *kiln_options_ref;

/// How it ended.
enum kiln_result {
  KILN_OK = 0,       ///< All went well.
  KILN_COLD __attribute__((deprecated("use KILN_OK"))),
  /// It broke.
  KILN_BROKEN = KILN_FLAG(3), /* of glass */
};

enum { KILN_ZONES = 4 };

/**
 * Makes a kiln.
 *
 * @param options What it is like, or @c NULL.
 * @param[out] error Where an error goes.
 * @return The kiln; free it with kiln_free().
 * @retval NULL if there is no memory
 * @note Not thread-safe.
 * @code
 * kiln_t *k = kiln_make(NULL, &error);
 * @endcode
 */
KILN_DECL(kiln_t *)
kiln_make(const kiln_options_t *options, int *error);

/* Frees it. */
KILN_CALL void kiln_free(kiln_t *kiln) __attribute__((nonnull));

// Apart from what follows.

static inline double kiln_fahrenheit(double celsius) {
  return celsius * 9 / 5 + 32;
}

/// Stops.
KILN_OLD int kiln_stop(kiln_t *kiln, ...);
int kiln_rename(kiln_t *kiln, const char *name) __attribute__((swift_name("Kiln.rename(self:_:)")));
extern const int kiln_count, kiln_limit[2];
typedef int (*kiln_handler)(kiln_t *, int);
typedef int kiln_filter(int);
void (*kiln_signal(int number, void (*handler)(int)))(int);

#ifdef __linux__
int kiln_linux_fd(kiln_t *kiln);
#elif defined(__APPLE__) || TARGET_OS_IOS
int kiln_apple_port(kiln_t *kiln);
int kiln_both(void);
#else
int kiln_both(void);
#endif
#if 0
int kiln_never(void);
#endif

#ifdef __cplusplus
}
class KilnWrapper {};
#endif
#endif
