// A minimal bot that flushes, with one fault: faults FAULT; without one it reads all of its input before it answers.

#include <iostream>
#include <iterator>
#include <pthread.h>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

static std::string fault, ply;

static int search(const std::vector<int> &board, int depth)
{
    return fault == "deep" ? search(board, depth + 1) + 1 : board.data()[depth + 100];
}

static void start_thread()
{
    pthread_attr_t attributes;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)3 << 29);
    pthread_setattr_default_np(&attributes);
    std::thread([] {}).join();
}

static void hear(const std::string &line)
{
    std::istringstream words(line);
    std::string word;

    words >> word;
    if (word == "start")
        std::cout << "ready" << std::endl;
    else if (word == "moves")
        words >> ply;
    else if (word == "go") {
        if (fault == "thread")
            start_thread();
        if (fault == "at")
            std::vector<int>(2).at(9)++;
        if (fault == "deep" || fault == "overflow")
            ply += (char)search(std::vector<int>(2), 0);
        std::cout << "move " << ply << std::endl;
    }
}

int main(int argc, char **argv)
{
    std::istringstream text;

    if (argc > 1)
        fault = argv[1];
    else
        text.str(std::string{std::istreambuf_iterator<char>(std::cin), {}});
    std::istream &lines = argc > 1 ? std::cin : text;
    for (std::string line; std::getline(lines, line);)
        hear(line);
}
