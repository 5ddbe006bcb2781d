#include "sensors.h"
#include "bell.h"
#include "board.h"
#include "channels.h"
#include "number.h"
#include "ring.h"
#include "twi.h"
#include <stddef.h>
#include <string.h>

#define PATIENCE 50                            // looks for a step: 25 ms, as long as a sensor may hold the clock
#define FAILURES 3                             // in a row are told: many a sensor doesn't answer while it measures
#define ADDRESS_LOWEST 0x08                    // the others are the bus's own
#define ADDRESS_HIGHEST 0x77

enum { ONE_BYTE = 1, HIGH_FIRST, LOW_FIRST };  // what is read
enum { NO_ANSWER = 1, STUCK };                 // what is told of a failure
enum { NOTHING, POINTING, FETCHING, STARTING };

typedef struct {
    uint8_t address;                           // 0: not used
    uint8_t form, pointers, starts;
    uint8_t pointer[POINTER_MOST], start[START_MOST];
    uint16_t period, asked;
    analogue told;
    uint8_t failures;
    bool begun;                                // `asked` says when
    bool measures;                             // it was told to
} sensor;

static sensor sensors[SENSORS];
static uint8_t turn, doing, place, waited;
static uint16_t value;

static void leave(void) {
    doing = NOTHING;
    for (uint8_t i = 0; i < SENSORS; i++)
        if (sensors[i].address) {
            twi_on();
            return;
        }
    twi_off();
}

bool sensors_sensible(const uint8_t *bus, uint8_t length) {
    if (length < 4) return false;
    uint8_t address = bus[0], form = bus[1], pointers = bus[2];
    if (address < ADDRESS_LOWEST || address > ADDRESS_HIGHEST || form < ONE_BYTE || form > LOW_FIRST) return false;
    if (pointers > POINTER_MOST || length < 4 + pointers) return false;
    uint8_t starts = bus[3 + pointers];
    return starts <= START_MOST && length == 4 + pointers + starts;
}

void sensors_use(uint8_t index, uint16_t period, uint16_t threshold, const uint8_t *bus) {
    sensor set = {.address = bus[0], .form = bus[1], .pointers = bus[2], .period = period, .told.threshold = threshold};
    memcpy(set.pointer, bus + 3, set.pointers);
    bus += 3 + set.pointers;
    set.starts = *bus++;
    memcpy(set.start, bus, set.starts);
    sensor *now = &sensors[index];
    // Up to there both are as the host says; what comes after is the board's own.
    if (!memcmp(now, &set, offsetof(sensor, asked)) && now->told.threshold == threshold) return;
    *now = set;
    leave();
}

void sensors_stop(uint8_t index) {
    if (!sensors[index].address) return;
    sensors[index].address = 0;
    leave();
}

void sensors_tell_again(void) {
    for (uint8_t i = 0; i < SENSORS; i++) {
        sensors[i].told.active = false;
        if (sensors[i].failures >= FAILURES) sensors[i].failures = FAILURES - 1;
    }
}

static void failed(sensor *s, uint32_t now, uint8_t why) {
    leave();
    s->measures = false;
    if (s->failures >= FAILURES || ++s->failures < FAILURES) return;
    s->told.active = false;                    // its next value is told, and so that it is back
    uint8_t rest[2] = {SENSOR_FIRST + turn, why};
    ring_put(FAILED, now, rest, sizeof rest);
}

static void tell(sensor *s, uint32_t now) {
    s->failures = 0;
    if (!gauge_moved(&s->told, value)) return;
    uint8_t rest[2];
    put2(rest, value);
    ring_put(READING + SENSOR_FIRST + turn, now, rest, sizeof rest);
}

static void begin(uint16_t ms) {
    for (uint8_t n = 0; n < SENSORS; n++) {
        turn = turn + 1 == SENSORS ? 0 : turn + 1;
        sensor *s = &sensors[turn];
        if (!s->address || (s->begun && (uint16_t)(ms - s->asked) < s->period)) continue;
        s->begun = true;
        s->asked = ms;
        doing = s->starts && !s->measures ? STARTING : s->pointers ? POINTING : FETCHING;
        place = waited = 0;
        value = 0;
        twi_start();
        return;
    }
}

static void end(sensor *s) {
    s->measures = true;
    twi_stop();
    doing = NOTHING;
}

// The sensor has taken all so far.
static void write_next(sensor *s) {
    if (doing == POINTING && place == s->pointers) {
        doing = FETCHING;
        place = 0;
        twi_start();
    } else if (doing == STARTING && place == s->starts) {
        end(s);
    } else {
        twi_put(doing == POINTING ? s->pointer[place] : s->start[place]);
        place++;
    }
}

static void take(sensor *s, uint8_t byte) {
    if (place++ && s->form == LOW_FIRST) value |= (uint16_t)byte << 8;
    else value = value << 8 | byte;
}

static void read_all(sensor *s, uint32_t now) {
    tell(s, now);
    if (!s->starts) {
        end(s);
        return;
    }
    doing = STARTING;
    place = 0;
    twi_start();
}

void sensors_look(uint32_t now, uint16_t ms) {
    if (doing == NOTHING) {
        begin(ms);
        return;
    }
    sensor *s = &sensors[turn];
    uint8_t status = twi_status();
    if (status == TWI_BUSY) {
        if (++waited >= PATIENCE) failed(s, now, STUCK);
        return;
    }
    waited = 0;
    switch (status) {
    case TWI_STARTED:
    case TWI_STARTED_AGAIN:
        twi_put((uint8_t)(s->address << 1 | (doing == FETCHING)));
        break;
    case TWI_MET_TO_WRITE:
    case TWI_TAKEN:
        write_next(s);
        break;
    case TWI_MET_TO_READ:
        twi_get(s->form != ONE_BYTE);
        break;
    case TWI_CAME:
        take(s, twi_byte());
        twi_get(false);
        break;
    case TWI_LAST_CAME:
        take(s, twi_byte());
        read_all(s, now);
        break;
    default:
        failed(s, now, NO_ANSWER);
    }
}
