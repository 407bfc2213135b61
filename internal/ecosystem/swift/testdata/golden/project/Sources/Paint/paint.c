#include "paint.h"
int paint_count = 0;
