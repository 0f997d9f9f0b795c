// What the right programs use of <iostream> and <iomanip>, in terms of <cstdio>.
#include <cstdio>

struct End {
} const endl;
struct Left {
} const left;
struct Width {
    int number;
};
inline Width setw(int number) { return {number}; }
inline void swap(char &one, char &other) {
    char third = one;
    one = other;
    other = third;
}

struct Out {
    int width, sign; // as printf has them: a negative width stands for text at the left
    Out operator<<(Left) const { return {width, -1}; }
    Out operator<<(Width next) const { return {sign * next.number, sign}; }
    Out operator<<(const char *text) const { return printed(printf("%*s", width, text)); }
    Out operator<<(char letter) const { return printed(printf("%*c", width, letter)); }
    Out operator<<(int number) const { return printed(printf("%*d", width, number)); }
    Out operator<<(End) const {
        printf("\n");
        return printed(fflush(stdout));
    }
    Out printed(int) const { return {0, sign}; }
} const cout = {0, 1};

struct In {
    static bool &is_good() {
        static bool is = true;
        return is;
    }
    const In &operator>>(char &letter) const { return read(is_good() && scanf(" %c", &letter) == 1); }
    const In &operator>>(int &number) const { return read(is_good() && scanf("%d", &number) == 1); }
    const In &read(bool is) const {
        is_good() = is;
        return *this;
    }
    bool operator!() const { return !is_good(); }
} const cin;
