// A board in simavr: the built firmware on a simulated ATmega, its pins, ADC and serial line driven from outside.
//
//   board FIRMWARE.hex MCU            stepped: time passes only by `run`, the line's bytes are in the commands
//   board FIRMWARE.hex MCU LINK       live: in real time, the line is a pty, with LINK pointing to it as /dev/serial/by-id would;
//                                     LINK.clock is a file to map, with the time in ns: on a busy machine it goes slower
//
//   board LOADER.hex MCU LINK dtr     the same, starting in a boot loader; opening the port resets it, as DTR does
//
// One command a line on standard input, one reply a line on standard output: `ok CYCLE …`, or `what?`.
//
//   run US [HEX]     stepped: lets time pass; HEX arrives on the line; the reply adds the cycle of the first byte out, and those bytes
//   pin D2 0|1       a level outside, from now on
//   adc 0 MV         a voltage outside
//   at US COMMAND    pin or adc, US from now
//   noise N          on average one byte in N is dropped, doubled or changed, in each direction; 0: none
//   reset | hang     the reset pin; an endless loop where the program is now
//   i2c ADDR AT HEX  a sensor on I²C: its registers from AT on (ADDR, AT: two hex digits); `i2c ADDR gone` takes it away
//   eeprom AT HEX    what lies there from AT on (a number), as if another program had left it
//   said ADDR        the reply adds what was written to it last, the register first
//   unplug | plug    live: the pty and the power go away and come again
//   out D13          the level that the board drives; the reply adds 0 or 1
//   stat             the reply adds the lowest stack pointer and how many bytes came out
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <simavr/avr_adc.h>
#include <simavr/avr_eeprom.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_twi.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_hex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define HZ 16000000ULL
#define BYTE_CYCLES (HZ / 11520)
#define MOST 65536

typedef struct {
    uint64_t at;
    char kind, port;                           // 'p' or 'a'
    int number, value;
} event;

static avr_t *avr;
static const char *link_path;                  // NULL: stepped
static int terminal = -1;
static bool powered = true;
static event events[MOST];
static int event_count;
static int levels[26][8];                      // as driven from outside; -1: not at all
static uint8_t to_board[MOST], from_board[MOST];
static unsigned to_head, to_tail, from_count;
static uint64_t next_byte_at, first_out, bytes_out;
static unsigned noise;
static uint32_t chance = 1;
static unsigned lowest_stack = 0xFFFF;
static bool reset_on_open, was_open;
static volatile uint64_t *shown_time;           // for whoever wants to live by the board's time
static uint64_t time_off;                      // cycles for which it had no power
static struct {
    bool there;
    uint8_t registers[256], said[16], length, at;
} devices[128];
static int selected = -1;                      // on the I²C bus
static int64_t hung = -1;
static uint16_t hung_word;

static uint32_t draw(void) {
    chance = chance * 1664525u + 1013904223u;
    return chance >> 8;
}

// Puts 0 to 2 bytes for one to `out`.
static int spoil(uint8_t byte, uint8_t *out) {
    out[0] = out[1] = byte;
    if (!noise || draw() % noise) return 1;
    switch (draw() % 3) {
    case 0: return 0;
    case 1: return 2;
    default: out[0] ^= 1 << draw() % 8; return 1;
    }
}

static avr_irq_t *pin_irq(char port, int bit) { return avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), bit); }

static void set_level(char port, int bit, int level) {
    levels[port - 'A'][bit] = level;
    avr_ioport_external_t outside = {.name = port};     // else the pull-up wins when the program writes to its port
    for (int i = 0; i < 8; i++) {
        outside.mask |= (levels[port - 'A'][i] >= 0) << i;
        outside.value |= (levels[port - 'A'][i] > 0) << i;
    }
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(port), &outside);
    avr_raise_irq(pin_irq(port, bit), level);
}

static void drive(void) {                      // avr_reset forgets levels, and an interrupt line passes on changes alone
    for (int port = 0; port < 26; port++)
        for (int bit = 0; bit < 8; bit++)
            if (levels[port][bit] >= 0) {
                avr_raise_irq(pin_irq('A' + port, bit), !levels[port][bit]);
                set_level('A' + port, bit, levels[port][bit]);
            }
}

static void set_voltage(int number, int millivolts) {
    if (number < 8) {
        avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, number), millivolts);
        return;
    }
    // simavr keeps the voltages of eight inputs; the others of a Mega are given as references that can be chosen.
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "adc") && number < 16) ((avr_adc_t *)io)->muxmode[32 + number - 8] = (avr_adc_mux_t)AVR_ADC_REF(millivolts);
}

static void fire(const event *e) {
    if (e->kind == 'a') {
        set_voltage(e->number, e->value);
    } else {
        set_level(e->port, e->number, e->value);
    }
}

static void heal(void) {
    if (hung < 0) return;
    memcpy(avr->flash + hung, &hung_word, 2);
    hung = -1;
}

static void show_time(void) {
    if (shown_time) *shown_time = (avr->cycle + time_off) * 1000 / (HZ / 1000000);
}

static void reset(uint8_t cause) {
    heal();
    uint64_t before = avr->cycle;
    avr_reset(avr);
    time_off += before - avr->cycle;
    avr->data[0x54] = cause;                   // MCUSR
    to_head = to_tail = 0;
    drive();
}

static void came_out(avr_irq_t *irq, uint32_t value, void *unused) {
    (void)irq, (void)unused;
    uint8_t spoilt[2];
    int n = spoil((uint8_t)value, spoilt);
    bytes_out++;
    if (!first_out) first_out = avr->cycle;
    for (int i = 0; i < n; i++) {
        if (link_path) {
            if (terminal >= 0 && write(terminal, &spoilt[i], 1) != 1) continue;   // nobody reads: as on a real line
        } else if (from_count < MOST) {
            from_board[from_count++] = spoilt[i];
        }
    }
}

// The sensors' side of the bus: a first byte points to a register, and each byte that is read or written goes on to the next.
static void on_bus(avr_irq_t *irq, uint32_t value, void *unused) {
    (void)irq, (void)unused;
    avr_twi_msg_irq_t message = {.u.v = value};
    uint8_t kind = message.u.twi.msg, address = message.u.twi.addr >> 1;
    avr_irq_t *answer = avr_io_getirq(avr, AVR_IOCTL_TWI_GETIRQ(0), TWI_IRQ_INPUT);
    if (kind & (TWI_COND_START | TWI_COND_STOP)) selected = -1;
    if (kind & TWI_COND_START && devices[address].there) {
        selected = address;
        if (!(message.u.twi.addr & 1)) devices[selected].length = 0;
        avr_raise_irq(answer, avr_twi_irq_msg(TWI_COND_ACK, message.u.twi.addr, 1));
    }
    if (selected < 0) return;
    uint8_t *at = &devices[selected].at, *length = &devices[selected].length;
    if (kind & TWI_COND_WRITE) {
        if (!*length) *at = message.u.twi.data;
        else devices[selected].registers[(*at)++] = message.u.twi.data;
        if (*length < sizeof devices->said) devices[selected].said[(*length)++] = message.u.twi.data;
        avr_raise_irq(answer, avr_twi_irq_msg(TWI_COND_ACK, message.u.twi.addr, 1));
    }
    if (kind & TWI_COND_READ)
        avr_raise_irq(answer, avr_twi_irq_msg(TWI_COND_READ, message.u.twi.addr, devices[selected].registers[(*at)++]));
}

static bool sensor(const char *line) {
    unsigned address, at, byte;
    char word[8];
    int used;
    if (sscanf(line, "i2c %2x %7s%n", &address, word, &used) != 2 || address > 127) return false;
    devices[address].there = strcmp(word, "gone");
    if (!devices[address].there) return true;
    if (sscanf(word, "%2x", &at) != 1) return false;
    for (line += used + 1; sscanf(line, "%2x", &byte) == 1; line += 2) devices[address].registers[at++ & 255] = (uint8_t)byte;
    return true;
}

static void queue_in(uint8_t byte) {
    uint8_t spoilt[2];
    int n = spoil(byte, spoilt);
    for (int i = 0; i < n; i++) to_board[to_head++ % MOST] = spoilt[i];
}

static void pass(uint64_t cycles) {
    avr_irq_t *in = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    for (uint64_t until = avr->cycle + cycles; avr->cycle < until;) {
        if (event_count && events[0].at <= avr->cycle) {
            event e = events[0];
            memmove(events, events + 1, --event_count * sizeof *events);
            fire(&e);
        }
        if (to_head != to_tail && avr->cycle >= next_byte_at) {
            next_byte_at = avr->cycle + BYTE_CYCLES;
            avr_raise_irq(in, to_board[to_tail++ % MOST]);
        }
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            fprintf(stderr, "the processor stopped at %x\n", avr->pc);
            exit(3);
        }
        if (avr->pc == 0 && hung >= 0) {       // the watchdog bit
            heal();
            drive();
        }
        unsigned stack = avr->data[R_SPL] | avr->data[R_SPH] << 8;
        if (stack > 0x200 && stack < lowest_stack) lowest_stack = stack;
    }
}

static void plug(void) {
    if (!link_path || terminal >= 0) return;
    int slave;
    char name[128], fresh[512];
    struct termios raw;
    memset(&raw, 0, sizeof raw);
    cfmakeraw(&raw);
    if (openpty(&terminal, &slave, name, &raw, NULL)) exit(4);
    close(slave);
    fcntl(terminal, F_SETFL, O_NONBLOCK);
    snprintf(fresh, sizeof fresh, "%s.fresh", link_path);
    if (symlink(name, fresh) || rename(fresh, link_path)) exit(4);
    powered = true;
    reset(1);
}

static void unplug(void) {
    if (terminal < 0) return;
    unlink(link_path);
    close(terminal);
    terminal = -1;
    powered = false;
}

static bool scheduled(const char *line, uint64_t after) {
    event e = {.at = avr->cycle + after};
    if (sscanf(line, "pin %c%d %d", &e.port, &e.number, &e.value) == 3) e.kind = 'p';
    else if (sscanf(line, "adc %d %d", &e.number, &e.value) == 2) e.kind = 'a';
    else return false;
    if (!after) {
        fire(&e);
    } else {
        if (event_count == MOST) return false;
        int i = event_count++;
        for (; i && events[i - 1].at > e.at; i--) events[i] = events[i - 1];
        events[i] = e;
    }
    return true;
}

static bool run(const char *line) {
    unsigned long us;
    int used;
    if (link_path || sscanf(line, "run %lu%n", &us, &used) != 1) return false;
    unsigned byte;
    for (line += used + (line[used] == ' '); sscanf(line, "%2x", &byte) == 1; line += 2) queue_in((uint8_t)byte);
    from_count = 0;
    first_out = 0;
    pass(us * (HZ / 1000000));
    printf("ok %llu %llu ", (unsigned long long)avr->cycle, (unsigned long long)first_out);
    for (unsigned i = 0; i < from_count; i++) printf("%02x", from_board[i]);
    putchar('\n');
    return true;
}

static bool eeprom(const char *line) {
    uint8_t bytes[64];
    unsigned at, byte;
    int used;
    avr_eeprom_desc_t written = {.ee = bytes};
    if (sscanf(line, "eeprom %u %n", &at, &used) != 1) return false;
    written.offset = at;
    for (line += used; written.size < sizeof bytes && sscanf(line, "%2x", &byte) == 1; line += 2) bytes[written.size++] = (uint8_t)byte;
    avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &written);   // what it gives differs between versions
    return written.size > 0;
}

static void obey(char *line) {
    unsigned long us;
    unsigned address;
    int used, bit;
    char port;
    bool fine = true;
    line[strcspn(line, "\n")] = 0;
    if (run(line)) return;
    if (sscanf(line, "at %lu %n", &us, &used) == 1) fine = scheduled(line + used, us * (HZ / 1000000));
    else if (scheduled(line, 0) || sscanf(line, "noise %u", &noise) == 1 || sensor(line) || eeprom(line)) fine = true;
    else if (sscanf(line, "said %2x", &address) == 1) {
        printf("ok %llu ", (unsigned long long)avr->cycle);
        for (unsigned i = 0; i < devices[address & 127].length; i++) printf("%02x", devices[address & 127].said[i]);
        putchar('\n');
        return;
    }
    else if (sscanf(line, "out %c%d", &port, &bit) == 2) {
        avr_ioport_state_t state;
        avr_ioctl(avr, AVR_IOCTL_IOPORT_GETSTATE(port), &state);
        printf("ok %llu %d\n", (unsigned long long)avr->cycle, state.ddr >> bit & state.port >> bit & 1);
        return;
    } else if (!strcmp(line, "stat")) {
        printf("ok %llu %u %llu\n", (unsigned long long)avr->cycle, lowest_stack, (unsigned long long)bytes_out);
        return;
    } else if (!strcmp(line, "reset")) reset(2);
    else if (!strcmp(line, "hang")) {
        static const uint16_t here = 0xCFFF;   // rjmp .-2
        hung = avr->pc;
        memcpy(&hung_word, avr->flash + hung, 2);
        memcpy(avr->flash + hung, &here, 2);
    } else if (!strcmp(line, "unplug")) unplug();
    else if (!strcmp(line, "plug")) plug();
    else fine = false;
    if (fine) printf("ok %llu\n", (unsigned long long)avr->cycle);
    else puts("what?");
}

static void quiet(avr_t *a, const int level, const char *text, va_list rest) {
    (void)a;
    if (level <= LOG_ERROR) vfprintf(stderr, text, rest);
}

static void no_sleep(avr_t *a, avr_cycle_count_t cycles) { (void)a, (void)cycles; }   // we keep the pace

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void map_clock(void) {
    char path[512];
    snprintf(path, sizeof path, "%s.clock", link_path);
    int file = open(path, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, 8)) exit(4);
    shown_time = mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shown_time == MAP_FAILED) exit(4);
    close(file);
}

static void live(void) {
    map_clock();
    plug();
    was_open = false;
    struct pollfd commands = {.fd = 0, .events = POLLIN};
    double began = now();
    uint64_t from = avr->cycle;
    for (;;) {
        for (int slice = 0; slice < 20; slice++) {  // of 50 µs
            if (powered) pass(HZ / 20000);
            else time_off += HZ / 20000;
            show_time();
        }
        if (terminal >= 0 && reset_on_open) {
            struct pollfd line = {.fd = terminal};
            poll(&line, 1, 0);
            bool is_open = !(line.revents & POLLHUP);
            if (is_open && !was_open) reset(2);
            was_open = is_open;
        }
        uint8_t bytes[256];
        ssize_t n = terminal < 0 ? 0 : read(terminal, bytes, sizeof bytes);
        for (ssize_t i = 0; i < n; i++) queue_in(bytes[i]);
        double ahead = powered ? (avr->cycle - from) / (double)HZ - (now() - began) : 0.001;
        if (!powered || ahead < -0.25) {       // without power, or on a busy machine, time is not made up for in a burst
            began = now();
            from = avr->cycle;
        }
        int wait = ahead > 0 ? (int)(ahead * 1000 + 0.999) : 0;
        if (poll(&commands, 1, wait) > 0) {
            char line[256];
            if (!fgets(line, sizeof line, stdin)) return;
            obey(line);
        }
    }
}

int main(int count, char **words) {
    if (count < 3) return 2;
    link_path = count > 3 ? words[3] : NULL;
    setvbuf(stdout, NULL, _IOLBF, 0);
    setvbuf(stdin, NULL, _IONBF, 0);           // poll() must see what is left to read
    avr_global_logger_set(quiet);
    avr = avr_make_mcu_by_name(words[2]);
    if (!avr) return 2;
    avr_init(avr);
    avr->frequency = HZ;
    avr->vcc = avr->avcc = avr->aref = 5000;
    avr->sleep = no_sleep;
    ihex_chunk_p chunks = NULL;
    int n = read_ihex_chunks(words[1], &chunks);
    if (n <= 0) return 2;
    for (int i = 0; i < n; i++) avr_loadcode(avr, chunks[i].data, chunks[i].size, chunks[i].baseaddr);
    avr->codeend = avr->flashend;
    reset_on_open = count > 4;
    if (reset_on_open) avr->reset_pc = chunks[0].baseaddr;
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), came_out, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_TWI_GETIRQ(0), TWI_IRQ_OUTPUT), on_bus, NULL);
    memset(levels, -1, sizeof levels);
    if (!strcmp(words[2], "atmega2560"))
        for (int i = 8; i < 16; i++) set_voltage(i, 0);
    reset(1);
    if (link_path) {
        live();
        unplug();
    } else {
        static char line[2 * MOST];
        while (fgets(line, sizeof line, stdin)) obey(line);
    }
    return 0;
}
