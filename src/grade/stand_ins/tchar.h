// What the projects of Visual Studio begin with.
#pragma once
#pragma GCC system_header
typedef char _TCHAR;
typedef char TCHAR;
#define _tmain main
#define _T(text) text
#define TEXT(text) text
