// Digital pins: a table from channel to port and bit, made the other way round at boot for the look, which goes by ports.
#include "pins.h"
#include "board.h"
#include "channels.h"
#include "number.h"
#include "ring.h"
#include <avr/io.h>
#include <avr/pgmspace.h>

// PIN, DDR and PORT of a port lie side by side, in this order.
enum { DDR = 1, PORT = 2 };
#define AT(port, bit) ((port) << 3 | (bit))
#define NOWHERE 0xFF

#ifdef __AVR_ATmega2560__
enum { A, B, C, D, E, F, G, H, J, K, L, PORTS };
static volatile uint8_t *const registers[PORTS] PROGMEM = {&PINA, &PINB, &PINC, &PIND, &PINE, &PINF, &PING, &PINH, &PINJ, &PINK, &PINL};
static const uint8_t places[PINS] PROGMEM = {
    AT(E, 0), AT(E, 1), AT(E, 4), AT(E, 5), AT(G, 5), AT(E, 3), AT(H, 3), AT(H, 4), AT(H, 5), AT(H, 6), // 0–9
    AT(B, 4), AT(B, 5), AT(B, 6), AT(B, 7), AT(J, 1), AT(J, 0), AT(H, 1), AT(H, 0), AT(D, 3), AT(D, 2), // 10–19
    AT(D, 1), AT(D, 0), AT(A, 0), AT(A, 1), AT(A, 2), AT(A, 3), AT(A, 4), AT(A, 5), AT(A, 6), AT(A, 7), // 20–29
    AT(C, 7), AT(C, 6), AT(C, 5), AT(C, 4), AT(C, 3), AT(C, 2), AT(C, 1), AT(C, 0), AT(D, 7), AT(G, 2), // 30–39
    AT(G, 1), AT(G, 0), AT(L, 7), AT(L, 6), AT(L, 5), AT(L, 4), AT(L, 3), AT(L, 2), AT(L, 1), AT(L, 0), // 40–49
    AT(B, 3), AT(B, 2), AT(B, 1), AT(B, 0), AT(F, 0), AT(F, 1), AT(F, 2), AT(F, 3), AT(F, 4), AT(F, 5), // 50–59
    AT(F, 6), AT(F, 7), AT(K, 0), AT(K, 1), AT(K, 2), AT(K, 3), AT(K, 4), AT(K, 5), AT(K, 6), AT(K, 7), // 60–69
};
#else
enum { B, C, D, PORTS };
static volatile uint8_t *const registers[PORTS] PROGMEM = {&PINB, &PINC, &PIND};
static const uint8_t places[PINS] PROGMEM = {
    AT(D, 0), AT(D, 1), AT(D, 2), AT(D, 3), AT(D, 4), AT(D, 5), AT(D, 6), AT(D, 7), AT(B, 0), AT(B, 1), // 0–9
    AT(B, 2), AT(B, 3), AT(B, 4), AT(B, 5), AT(C, 0), AT(C, 1), AT(C, 2), AT(C, 3), AT(C, 4), AT(C, 5), // 10–19
    NOWHERE, NOWHERE, // A6 and A7 go to the ADC alone
};
#endif

static uint8_t channel_at[PORTS * 8];
static uint8_t inputs[PORTS], fresh[PORTS], levels[PORTS];

void pins_boot(void) {
    for (uint8_t channel = 0; channel < PINS; channel++) {
        uint8_t place = pgm_read_byte(&places[channel]);
        if (place != NOWHERE) channel_at[place] = channel;
    }
}

static volatile uint8_t *port_of(uint8_t place) { return (volatile uint8_t *)pgm_read_ptr(&registers[place >> 3]); }

static void put(volatile uint8_t *reg, uint8_t mask, bool on) {
    if (on) *reg |= mask;
    else *reg &= (uint8_t)~mask;
}

void pins_mode(uint8_t channel, uint8_t mode) {
    uint8_t place = pgm_read_byte(&places[channel]);
    if (place == NOWHERE) return;
    volatile uint8_t *port = port_of(place);
    uint8_t mask = bit(place & 7);
    bool input = mode == DIGITAL || mode == DIGITAL_PULL_UP;
    put(port + DDR, mask, mode == OUTPUT);
    put(port + PORT, mask, mode == DIGITAL_PULL_UP);
    put(&inputs[place >> 3], mask, input);
    put(&fresh[place >> 3], mask, input);
}

// 40 cycles a port when nothing moved, some 150 more for each edge. What finds no room isn't taken note of, and is seen again.
uint8_t pins_look(uint32_t now, uint8_t room) {
    static uint8_t turn;                       // a port that storms must leave the others their turn
    for (uint8_t n = 0; n < PORTS && room; n++) {
        uint8_t port = turn;
        turn = turn + 1 == PORTS ? 0 : turn + 1;
        if (!inputs[port]) continue;
        uint8_t seen = *port_of((uint8_t)(port << 3));
        levels[port] = (levels[port] & (uint8_t)~fresh[port]) | (seen & fresh[port]);
        fresh[port] = 0;
        uint8_t changed = (seen ^ levels[port]) & inputs[port];
        const uint8_t *channel = channel_at + (port << 3);
        for (uint8_t mask = 1; changed && room; changed >>= 1, mask <<= 1, channel++)
            if (changed & 1) {
                ring_put(*channel + (seen & mask ? ROSE : FELL), now, 0, 0);
                levels[port] ^= mask;
                room--;
            }
    }
    return room;
}

void pins_levels(uint8_t *to) {
    for (uint8_t port = 0; port < PORTS; port++) {
        const uint8_t *channel = channel_at + (port << 3);
        for (uint8_t high = levels[port] & inputs[port]; high; high >>= 1, channel++)
            if (high & 1) to[*channel >> 3] |= bit(*channel & 7);
    }
}

void pins_write(uint8_t channel, bool level) {
    uint8_t place = pgm_read_byte(&places[channel]);
    put(port_of(place) + PORT, bit(place & 7), level);
}
