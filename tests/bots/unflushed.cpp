// A minimal bot with "fast" streams that never flushes its answers; with the argument `ready`, nor `ready`.

#include <iostream>
#include <sstream>
#include <string>

int main(int argc, char **argv)
{
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    bool from_ready = argc > 1 && std::string(argv[1]) == "ready";
    std::string line, word, ply;

    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        word.clear();
        words >> word;
        if (word == "start") {
            std::cout << "ready\n";
            if (!from_ready)
                std::cout.flush();
        } else if (word == "moves") {
            words >> ply;
        } else if (word == "go") {
            std::cout << "move " << ply << '\n';
        }
    }
}
