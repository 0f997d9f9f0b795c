// The second half of a test main; the first half is the file of the game, which declares the functions of the submission (weak, so
// that a missing one costs only itself) and defines FUNCTIONS, STATE_BYTES, fill_state, fill_around, state_text and answer_of.
//
// Standard input: a line `MODE PLACE SECONDS FUNCTION=SLOW...`, then a line `FUNCTION STATE ARGUMENT...` for each call. MODE is
// `sequence` (calls follow each other in one process) or `alone` (each in a fresh one). PLACE is `front` or `end`, where the state
// lies between two pages without access, or `0`, `1` or `2`: amid empty squares, or pieces of the first or second side. SECONDS is
// the processor time of a call, SLOW the weight of the slow calls of FUNCTION in earlier runs. Standard output: `has FUNCTION 0|1`
// for each function, then for each call
//
//     INDEX returned VALUE STATE READ OUTSIDE PRINTED ERRORS
//     INDEX signal NUMBER WHERE READ PRINTED ERRORS
//     INDEX exited STATUS - READ PRINTED ERRORS
//     INDEX skipped 0 - 0 - -      of a function whose slow calls have the weight TOO_SLOW
//
// and `slow INDEX WEIGHT` behind one that took too long, or too much memory. What is expected stays in arbiter: this process runs
// code that may be hostile.
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <poll.h>
#include <stdio_ext.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

const size_t PAGE = 4096, ROOM = 4 * PAGE, MOST_PRINTED = 1 << 16, TOO_SLOW = 8, IDLE = 3;
const long LONG_WORK = 100000; // microseconds
const rlim_t MOST_MEMORY = 128 << 20;   // bytes of a call, less than the whole test main may have
const long MUCH_MEMORY = 32 << 10;      // KiB: a container that doubles its size ends long before MOST_MEMORY
const unsigned char UNTOUCHED = 0xA5;

struct Shared { // what the parent knows of a child that died
    volatile size_t at;
    volatile long before; // microseconds of processor time, before the call
    volatile int where; // an index of PLACES: of the memory that was touched
};

const char *const PLACES[] = {"-", "before", "behind", "stack", "memory"};
Shared *shared;
unsigned char *room;
int results, input, printed, errors;
std::vector<std::vector<std::string>> calls;
size_t slow[sizeof FUNCTIONS / sizeof *FUNCTIONS + 1]; // the weights of slow calls; the last one of what is no function

size_t &slow_calls(const std::string &function) {
    size_t index = 0;
    while (index + 1 < sizeof slow / sizeof *slow && function != FUNCTIONS[index].name) index++;
    return slow[index];
}

std::vector<std::string> words_of(const std::string &line) {
    std::vector<std::string> words;
    for (size_t at = 0, end; (at = line.find_first_not_of(' ', at)) < line.size(); at = end) {
        end = line.find(' ', at);
        words.push_back(line.substr(at, end - at));
    }
    return words;
}

[[noreturn]] void cannot(const char *what) {
    perror(what);
    _exit(70);
}

int file(const char *content, size_t length) {
    const char *folder = getenv("TMPDIR");
    std::string name = std::string(folder ? folder : "/tmp") + "/call-XXXXXX";
    int descriptor = mkstemp(&name[0]);
    if (descriptor < 0) cannot("mkstemp");
    unlink(name.c_str());
    if (length && write(descriptor, content, length) != ssize_t(length)) cannot("write");
    return fcntl(descriptor, F_DUPFD, 100);
}

void send(const std::string &line) {
    for (size_t done = 0; done < line.size();) {
        ssize_t count = write(results, line.data() + done, line.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) _exit(71);
        done += size_t(count);
    }
}

// The content of a file in hexadecimal digits; `-` if it is empty.
std::string taken(int descriptor) {
    std::string text;
    unsigned char bytes[4096];
    off_t at = 0;
    for (ssize_t count; at < off_t(MOST_PRINTED) && (count = pread(descriptor, bytes, sizeof bytes, at)) > 0; at += count)
        for (ssize_t i = 0; i < count; i++) {
            text += "0123456789abcdef"[bytes[i] >> 4];
            text += "0123456789abcdef"[bytes[i] & 15];
        }
    return text.empty() ? "-" : text;
}

void fresh_files() {
    lseek(input, 0, SEEK_SET);
    for (int descriptor : {printed, errors}) {
        if (ftruncate(descriptor, 0)) cannot("ftruncate");
        lseek(descriptor, 0, SEEK_SET);
    }
}

std::string was_read() { return lseek(input, 0, SEEK_CUR) > 0 ? "1" : "0"; }

void on_fault(int signal, siginfo_t *info, void *) {
    unsigned char *address = static_cast<unsigned char *>(info->si_addr);
    rlimit stack;
    getrlimit(RLIMIT_STACK, &stack);
    if (address >= room - PAGE && address < room) shared->where = 1;
    else if (address >= room + ROOM && address < room + ROOM + PAGE) shared->where = 2;
    else {
        unsigned char *top = reinterpret_cast<unsigned char *>(environ); // it lies at the upper end of the stack
        if (address < top && size_t(top - address) + (1 << 20) > stack.rlim_cur && size_t(top - address) < stack.rlim_cur + (1 << 20))
            shared->where = 3;
    }
    struct sigaction usual = {};
    usual.sa_handler = SIG_DFL;
    sigaction(signal, &usual, nullptr);
}

long used_before; // microseconds

long microseconds(const rusage &used) {
    return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000 + used.ru_utime.tv_usec + used.ru_stime.tv_usec;
}

long used(int who) {
    rusage used;
    getrusage(who, &used);
    return microseconds(used);
}

// A call that has used hardly any processor time since it began, IDLE seconds ago, waits for what never comes, or for the machine.
void on_tick(int) {
    long now = used(RUSAGE_SELF);
    if (now - used_before < 5000) {
        signal(SIGALRM, SIG_DFL);
        raise(SIGALRM);
    }
    used_before = now;
}

void set_limits(unsigned seconds) {
    signal(SIGXCPU, SIG_DFL); // a call before may have changed it
    struct sigaction tick = {};
    tick.sa_handler = on_tick;
    tick.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &tick, nullptr);
    used_before = used(RUSAGE_SELF);
    shared->before = used_before + used(RUSAGE_CHILDREN);
    itimerval ticks = {{IDLE, 0}, {IDLE, 0}};
    setitimer(ITIMER_REAL, &ticks, nullptr);
    rlimit limit;
    getrlimit(RLIMIT_CPU, &limit);
    limit.rlim_cur = rlim_t(used_before / 1000000) + 1 + seconds;
    setrlimit(RLIMIT_CPU, &limit);
}

// Processes that a call has left may take all places for a while.
pid_t forked() {
    for (int tries = 0;; tries++) {
        pid_t child = fork();
        if (child >= 0) return child;
        if (errno != EAGAIN || tries == 6000) cannot("fork");
        usleep(10000);
    }
}

void prepare_child() {
    static unsigned char stack[1 << 16];
    stack_t other = {};
    other.ss_sp = stack;
    other.ss_size = sizeof stack;
    sigaltstack(&other, nullptr);
    struct sigaction fault = {};
    fault.sa_sigaction = on_fault;
    fault.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &fault, nullptr);
    sigaction(SIGBUS, &fault, nullptr);
    rlimit stacked;
    getrlimit(RLIMIT_STACK, &stacked);
    if (stacked.rlim_cur == RLIM_INFINITY || stacked.rlim_cur > 8u << 20) {
        stacked.rlim_cur = 8u << 20;
        setrlimit(RLIMIT_STACK, &stacked);
    }
    rlimit data = {MOST_MEMORY, MOST_MEMORY};
    setrlimit(RLIMIT_DATA, &data);
    rlimit written = {MOST_PRINTED, MOST_PRINTED};
    setrlimit(RLIMIT_FSIZE, &written);
    dup2(input, 0);
    dup2(printed, 1);
    dup2(errors, 2);
}

void perform(size_t index, const std::string &place) {
    const std::vector<std::string> &call = calls[index];
    const bool is_amid = isdigit(place[0]);
    static unsigned char around[ROOM];
    if (is_amid) fill_around(around, ROOM, place[0] - '0');
    else memset(around, UNTOUCHED, ROOM);
    memcpy(room, around, ROOM);
    unsigned char *state = is_amid ? room + ROOM / 2 : place == "end" ? room + ROOM - STATE_BYTES : room;
    fill_state(state, call);
    fresh_files();
    clearerr(stdin);
    __fpurge(stdin);
    std::cin.clear();
    std::string value = answer_of(call, state);
    std::cout.flush();
    std::cerr.flush();
    std::clog.flush();
    fflush(stdout);
    fflush(stderr);
    const size_t before = size_t(state - room), end = before + STATE_BYTES;
    const bool outside = memcmp(room, around, before) || memcmp(room + end, around + end, ROOM - end);
    send(std::to_string(index) + " returned " + value + " " + state_text(state, call) + " " + was_read() + " " +
         (outside ? "1" : "0") + " " + taken(printed) + " " + taken(errors) + "\n");
}

} // namespace

// Linked with `--wrap=main`, which leaves the `main` of the submission, if there is one, as it is and calls this one.
extern "C" int __wrap_main() {
    std::string line;
    if (!std::getline(std::cin, line)) return 64;
    const std::vector<std::string> head = words_of(line);
    const bool alone = head.at(0) == "alone";
    const std::string place = head.at(1);
    const unsigned seconds = unsigned(std::stoul(head.at(2)));
    for (size_t index = 3; index < head.size(); index++) {
        size_t mark = head[index].find('=');
        slow_calls(head[index].substr(0, mark)) = size_t(std::stoul(head[index].substr(mark + 1)));
    }
    while (std::getline(std::cin, line)) {
        calls.push_back(words_of(line));
        for (std::string &word : calls.back())
            if (word == "''") word.clear();
    }
    results = fcntl(1, F_DUPFD, 100);
    const char content[] = "1 1 a1\n2 2 b2\n3 3 c3\n";
    input = file(content, sizeof content - 1);
    printed = file("", 0);
    errors = file("", 0);
    // Shared by a file: the sandbox refuses other shared memory where nothing but /proc counts memory.
    int table = file("", 0);
    if (ftruncate(table, sizeof(Shared))) cannot("ftruncate");
    void *map = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, table, 0);
    if (map == MAP_FAILED) cannot("mmap");
    close(table);
    shared = static_cast<Shared *>(map);
    map = mmap(nullptr, ROOM + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) cannot("mmap");
    room = static_cast<unsigned char *>(map) + PAGE;
    if (mprotect(room, ROOM, PROT_READ | PROT_WRITE)) cannot("mprotect");
    for (const Function &function : FUNCTIONS)
        send(std::string("has ") + function.name + (function.there ? " 1\n" : " 0\n"));
    auto skipped = [](size_t index) { return slow_calls(calls[index][0]) >= TOO_SLOW; };
    size_t doubted = calls.size();
    for (size_t next = 0; next < calls.size(); next++) {
        if (skipped(next)) continue;
        shared->at = next;
        shared->before = 0;
        shared->where = 0;
        fresh_files();
        int alive[2];
        if (pipe(alive)) cannot("pipe");
        pid_t child = forked();
        close(alive[child == 0 ? 0 : 1]);
        if (child == 0) {
            if (fcntl(alive[1], F_DUPFD, 100) < 0) cannot("fcntl");
            close(alive[1]);
            prepare_child();
            for (size_t index = next; index < (alone ? next + 1 : calls.size()); index++) {
                if (skipped(index)) continue;
                shared->at = index;
                set_limits(seconds);
                perform(index, place);
            }
            shared->at = alone ? next + 1 : calls.size();
            _exit(0);
        }
        int status = 0;
        rusage usage = {};
        while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {}
        // Nobody has the other end any more, unless the call has started processes.
        pollfd others = {alive[0], 0, 0};
        const bool has_left = poll(&others, 1, 0) == 0;
        close(alive[0]);
        size_t at = shared->at;
        if (at < next) at = next;
        if (at >= (alone ? next + 1 : calls.size())) {
            next = at - 1;
            continue;
        }
        // One that crashes after long work holds up as much as one that does not end.
        const long before = shared->before, in_all = microseconds(usage);
        const bool is_long = before < 0 || before > in_all || in_all - before > LONG_WORK;
        const bool is_large = usage.ru_maxrss > MUCH_MEMORY;
        // A machine that stalls looks like a call that waits, so such a call is made twice.
        const bool waits = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
        if (waits && !has_left && doubted != at) {
            doubted = at;
            next = at - 1;
            continue;
        }
        const size_t weight = has_left ? TOO_SLOW : waits ? IDLE : is_long || is_large ? 1 : 0;
        slow_calls(calls[at][0]) += weight;
        const int where = is_large && !shared->where ? 4 : shared->where;
        std::string end = WIFSIGNALED(status) ? " signal " + std::to_string(WTERMSIG(status)) + " " + PLACES[where < 0 || where > 4 ? 0 : where]
                                              : " exited " + std::to_string(WEXITSTATUS(status)) + " -";
        send(std::to_string(at) + end + " " + was_read() + " " + taken(printed) + " " + taken(errors) + "\n");
        if (weight) send("slow " + std::to_string(at) + " " + std::to_string(weight) + "\n");
        next = at;
    }
    for (size_t index = 0; index < calls.size(); index++)
        if (skipped(index)) send(std::to_string(index) + " skipped 0 - 0 - -\n");
    return 0;
}
