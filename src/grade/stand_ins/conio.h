// What programs of Visual Studio use of this header, mostly at their end to keep the window open. Here nothing is waited for.
#pragma once
#pragma GCC system_header
#include <cstdio>
inline int _getch() { return std::getchar(); }
inline int getch() { return std::getchar(); }
inline int _getche() { return std::getchar(); }
inline int getche() { return std::getchar(); }
inline int _kbhit() { return 0; }
inline int kbhit() { return 0; }
inline int _putch(int letter) { return std::putchar(letter); }
inline int putch(int letter) { return std::putchar(letter); }
inline int _cputs(const char *text) { return std::fputs(text, stdout); }
