// Symbol visibility of the public API. Everything else in the library is hidden.
#ifndef VOUSSOIR_EXPORT_H
#define VOUSSOIR_EXPORT_H

#if defined(_WIN32)
#define VS_API
#else
#define VS_API __attribute__((visibility("default")))
#endif

#endif
