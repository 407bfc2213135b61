# cython: language_level=3
"""Fast."""
cimport cython
from libc.math cimport sqrt

cdef int hidden = 1
cdef inline double root(double x): return sqrt(x)

cpdef int squeeze(int fruit, double force=1.0, *, bint fine=False) except -1:
    """Squeezes fruit."""
    return 1

def plain(x, int y=2): pass

cdef class Juice:
    """Juice."""
    cdef public double litres
    cdef readonly str name
    cdef int _secret
    def __init__(self, double litres, str name="apple"): pass
    cpdef double drink(self, double sip=0.1):
        """Drinks."""
    property colour:
        def __get__(self): return 1
