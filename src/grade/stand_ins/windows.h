// What console programs use of this header of Visual Studio. Here nothing waits, sounds or has a colour.
#pragma once
#pragma GCC system_header
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <tchar.h>

typedef int BOOL;
typedef unsigned char BYTE;
typedef unsigned short WORD;
typedef unsigned int UINT;
typedef unsigned long DWORD;
typedef long LONG;
typedef long long LONGLONG;
typedef short SHORT;
typedef char CHAR;
typedef wchar_t WCHAR;
typedef void *HANDLE;
typedef void *HWND;
typedef const char *LPCSTR;
typedef char *LPSTR;
typedef DWORD *LPDWORD;
struct COORD {
    SHORT X, Y;
};
struct SMALL_RECT {
    SHORT Left, Top, Right, Bottom;
};
struct CONSOLE_CURSOR_INFO {
    DWORD dwSize;
    BOOL bVisible;
};
struct CONSOLE_SCREEN_BUFFER_INFO {
    COORD dwSize, dwCursorPosition;
    WORD wAttributes;
    SMALL_RECT srWindow;
    COORD dwMaximumWindowSize;
};

#define TRUE 1
#define FALSE 0
#define CP_UTF8 65001
#define STD_INPUT_HANDLE DWORD(-10)
#define STD_OUTPUT_HANDLE DWORD(-11)
#define STD_ERROR_HANDLE DWORD(-12)
#define INVALID_HANDLE_VALUE HANDLE(-1)
#define FOREGROUND_BLUE 0x1
#define FOREGROUND_GREEN 0x2
#define FOREGROUND_RED 0x4
#define FOREGROUND_INTENSITY 0x8
#define BACKGROUND_BLUE 0x10
#define BACKGROUND_GREEN 0x20
#define BACKGROUND_RED 0x40
#define BACKGROUND_INTENSITY 0x80
#define ENABLE_VIRTUAL_TERMINAL_PROCESSING 0x4
#define SW_MAXIMIZE 3
#define VK_RETURN 0x0D
#define VK_ESCAPE 0x1B
#define VK_SPACE 0x20
#define VK_LEFT 0x25
#define VK_UP 0x26
#define VK_RIGHT 0x27
#define VK_DOWN 0x28
#define MB_OK 0

inline void Sleep(DWORD) {}
inline BOOL Beep(DWORD, DWORD) { return 1; }
inline BOOL MessageBeep(UINT) { return 1; }
inline int MessageBox(HWND, LPCSTR, LPCSTR, UINT) { return 1; }
inline int MessageBoxA(HWND, LPCSTR, LPCSTR, UINT) { return 1; }
inline HANDLE GetStdHandle(DWORD) { return HANDLE(1); }
inline HWND GetConsoleWindow() { return HWND(1); }
inline BOOL ShowWindow(HWND, int) { return 1; }
inline BOOL MoveWindow(HWND, int, int, int, int, BOOL) { return 1; }
inline UINT GetConsoleOutputCP() { return CP_UTF8; }
inline UINT GetConsoleCP() { return CP_UTF8; }
inline BOOL SetConsoleOutputCP(UINT) { return 1; }
inline BOOL SetConsoleCP(UINT) { return 1; }
inline BOOL SetConsoleTitle(LPCSTR) { return 1; }
inline BOOL SetConsoleTitleA(LPCSTR) { return 1; }
inline BOOL SetConsoleTextAttribute(HANDLE, WORD) { return 1; }
inline BOOL SetConsoleCursorPosition(HANDLE, COORD) { return 1; }
inline BOOL SetConsoleCursorInfo(HANDLE, const CONSOLE_CURSOR_INFO *) { return 1; }
inline BOOL GetConsoleCursorInfo(HANDLE, CONSOLE_CURSOR_INFO *info) { return info->dwSize = 25, info->bVisible = 1; }
inline BOOL SetConsoleScreenBufferSize(HANDLE, COORD) { return 1; }
inline BOOL SetConsoleWindowInfo(HANDLE, BOOL, const SMALL_RECT *) { return 1; }
inline BOOL GetConsoleScreenBufferInfo(HANDLE, CONSOLE_SCREEN_BUFFER_INFO *info) {
    std::memset(info, 0, sizeof *info);
    info->wAttributes = 7;
    return 1;
}
inline BOOL FillConsoleOutputCharacter(HANDLE, TCHAR, DWORD count, COORD, LPDWORD written) { return *written = count, 1; }
inline BOOL FillConsoleOutputAttribute(HANDLE, WORD, DWORD count, COORD, LPDWORD written) { return *written = count, 1; }
inline BOOL GetConsoleMode(HANDLE, LPDWORD mode) { return *mode = 0, 1; }
inline BOOL SetConsoleMode(HANDLE, DWORD) { return 1; }
inline BOOL FlushConsoleInputBuffer(HANDLE) { return 1; }
inline SHORT GetAsyncKeyState(int) { return 0; }
inline SHORT GetKeyState(int) { return 0; }
inline DWORD GetTickCount() { return DWORD(std::clock() / (CLOCKS_PER_SEC / 1000)); }
inline void ExitProcess(UINT status) { std::exit(int(status)); }
