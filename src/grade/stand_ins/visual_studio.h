// What programs of Visual Studio find without including it: the headers that its <iostream> includes, and the functions of its own
// library. A source that does not compile as it is gets this in front.
#pragma once
#pragma GCC system_header
#include <cctype>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <strings.h>

#define __int64 long long
#define __cdecl
#define _countof(array) (sizeof(array) / sizeof((array)[0]))
#define _TRUNCATE ((size_t)-1)
typedef int errno_t;
typedef size_t rsize_t;

namespace arbiter {

// The arguments of scanf are pointers; the sizes of buffers, which only Visual Studio wants, are numbers.
struct Pointers {
    void *all[16] = {};
    int count = 0;
    template <class T> void add(T *pointer) {
        if (count < 16) all[count++] = pointer;
    }
    template <class T> void add(const T &) {}
    template <class... Rest> explicit Pointers(Rest... rest) {
        int each[] = {0, (add(rest), 0)...};
        (void)each;
    }
};

#define ARBITER_ALL(p) p.all[0], p.all[1], p.all[2], p.all[3], p.all[4], p.all[5], p.all[6], p.all[7], p.all[8], p.all[9], p.all[10], p.all[11]

inline errno_t copy(char *to, size_t size, size_t at, const char *from, size_t count) {
    while (at + 1 < size && count-- > 0 && *from) to[at++] = *from++;
    if (size > 0) to[at < size ? at : size - 1] = 0;
    return 0;
}

} // namespace arbiter

template <class... Rest> int scanf_s(const char *format, Rest... rest) {
    arbiter::Pointers p(rest...);
    return std::scanf(format, ARBITER_ALL(p));
}
template <class... Rest> int fscanf_s(FILE *file, const char *format, Rest... rest) {
    arbiter::Pointers p(rest...);
    return std::fscanf(file, format, ARBITER_ALL(p));
}
template <class... Rest> int sscanf_s(const char *text, const char *format, Rest... rest) {
    arbiter::Pointers p(rest...);
    return std::sscanf(text, format, ARBITER_ALL(p));
}
template <class... Rest> int printf_s(const char *format, Rest... rest) { return std::printf(format, rest...); }
template <class... Rest> int fprintf_s(FILE *file, const char *format, Rest... rest) { return std::fprintf(file, format, rest...); }
template <size_t SIZE, class... Rest> int sprintf_s(char (&to)[SIZE], const char *format, Rest... rest) {
    return std::snprintf(to, SIZE, format, rest...);
}
template <class... Rest> int sprintf_s(char *to, size_t size, const char *format, Rest... rest) {
    return std::snprintf(to, size, format, rest...);
}
inline char *gets_s(char *to, size_t size) {
    if (!std::fgets(to, int(size), stdin)) return nullptr;
    to[std::strcspn(to, "\n")] = 0;
    return to;
}
template <size_t SIZE> char *gets_s(char (&to)[SIZE]) { return gets_s(to, SIZE); }
inline errno_t strcpy_s(char *to, size_t size, const char *from) { return arbiter::copy(to, size, 0, from, size_t(-1)); }
template <size_t SIZE> errno_t strcpy_s(char (&to)[SIZE], const char *from) { return strcpy_s(to, SIZE, from); }
inline errno_t strncpy_s(char *to, size_t size, const char *from, size_t count) { return arbiter::copy(to, size, 0, from, count); }
template <size_t SIZE> errno_t strncpy_s(char (&to)[SIZE], const char *from, size_t count) { return strncpy_s(to, SIZE, from, count); }
inline errno_t strcat_s(char *to, size_t size, const char *from) { return arbiter::copy(to, size, std::strlen(to), from, size_t(-1)); }
template <size_t SIZE> errno_t strcat_s(char (&to)[SIZE], const char *from) { return strcat_s(to, SIZE, from); }
inline char *strtok_s(char *text, const char *delimiters, char **rest) { return strtok_r(text, delimiters, rest); }
inline char *_strdup(const char *text) { return strdup(text); }
inline int _stricmp(const char *one, const char *other) { return strcasecmp(one, other); }
inline int stricmp(const char *one, const char *other) { return strcasecmp(one, other); }
inline int _strnicmp(const char *one, const char *other, size_t count) { return strncasecmp(one, other, count); }
inline char *_strupr(char *text) {
    for (char *at = text; *at; at++) *at = char(std::toupper(static_cast<unsigned char>(*at)));
    return text;
}
inline char *_strlwr(char *text) {
    for (char *at = text; *at; at++) *at = char(std::tolower(static_cast<unsigned char>(*at)));
    return text;
}
inline char *_itoa(int value, char *to, int radix) {
    char digits[40];
    int count = 0;
    unsigned rest = value < 0 && radix == 10 ? 0u - unsigned(value) : unsigned(value);
    do digits[count++] = "0123456789abcdefghijklmnopqrstuvwxyz"[rest % unsigned(radix)];
    while ((rest /= unsigned(radix)) > 0);
    char *at = to;
    if (value < 0 && radix == 10) *at++ = '-';
    while (count > 0) *at++ = digits[--count];
    *at = 0;
    return to;
}
inline char *itoa(int value, char *to, int radix) { return _itoa(value, to, radix); }
inline errno_t _itoa_s(int value, char *to, size_t, int radix) { return _itoa(value, to, radix), 0; }
template <size_t SIZE> errno_t _itoa_s(int value, char (&to)[SIZE], int radix) { return _itoa(value, to, radix), 0; }
inline errno_t fopen_s(FILE **file, const char *name, const char *mode) { return (*file = std::fopen(name, mode)) ? 0 : 1; }
inline errno_t localtime_s(tm *to, const time_t *from) { return localtime_r(from, to) ? 0 : 1; }
inline int _flushall() { return std::fflush(nullptr); }
inline void _sleep(unsigned long) {}
