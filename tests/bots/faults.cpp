// A minimal bot that flushes, and reads all of its input before it answers.

#include <iostream>
#include <iterator>
#include <sstream>
#include <string>

int main()
{
    std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    std::istringstream lines(text);
    std::string line, word, ply;

    while (std::getline(lines, line)) {
        std::istringstream words(line);
        word.clear();
        words >> word;
        if (word == "start")
            std::cout << "ready" << std::endl;
        else if (word == "moves")
            words >> ply;
        else if (word == "go")
            std::cout << "move " << ply << std::endl;
    }
}
