#ifndef PAINT_H
#define PAINT_H
#include <stdint.h>
/// The thickness of a coat.
#define PAINT_COAT 2
#define PAINT_NAME "oil"
/// A colour.
typedef enum { PAINT_RED = 1, PAINT_BLUE } paint_color;
/// A can of paint.
struct paint_can { uint32_t litres; const char *name; paint_color color; double mix[4]; };
typedef struct paint_can *paint_ref;
/// Paints.
int32_t paint_apply(struct paint_can *can, const char *where, int (*done)(int, void *), ...);
static inline void paint_dry(unsigned long seconds) {}
extern int paint_count;
#endif
