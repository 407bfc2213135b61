#if defined(_WIN32)
#  define KILN_DECL(type) __declspec(dllexport) type
#else
#  define KILN_DECL(type) type
#endif
#define KILN_CALL extern
#define KILN_OLD __attribute__((deprecated))
