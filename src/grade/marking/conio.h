// What programs of Visual Studio use of this header at their end, to keep the window open. Here nothing is waited for.
#pragma once
#include <cstdio>
inline int _getch() { return std::getchar(); }
inline int getch() { return std::getchar(); }
inline int _kbhit() { return 0; }
