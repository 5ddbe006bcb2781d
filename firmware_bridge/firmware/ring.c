#include "ring.h"
#include "board.h"
#include "number.h"

#define ROOM_TO_GO_ON 64                       // free again before a loss is told
#define TIDY 16                                // records freed in one round: some 120 cycles each

typedef struct {
    uint16_t at;                               // place in the ring
    uint16_t number;                           // of the record there
    uint32_t base;                             // time of the record before it
} cursor;

static uint8_t bytes[RING_BYTES];
static cursor oldest, unsent, end;
static uint16_t wanted;                        // the host has all before this one; `oldest` follows in steps
static uint16_t sent_before;                   // all before this one went out at least once
static uint16_t used, fullest;
static uint32_t lost, lost_ever;               // to be told; since boot

void ring_boot(void) {
    oldest = unsent = end = (cursor){0};
    wanted = sent_before = used = fullest = 0;
    lost = lost_ever = 0;
}

static uint16_t on(uint16_t at) { return at + 1 == RING_BYTES ? 0 : at + 1; }

static void write(uint8_t byte) {
    bytes[end.at] = byte;
    end.at = on(end.at);
}

static void append(uint8_t kind, uint32_t time, const uint8_t *rest, uint8_t length) {
    uint32_t delta = time - end.base;
    uint8_t size = 2 + length;
    write(kind);
    for (; delta > 0x7F; delta >>= 7, size++) write((uint8_t)delta | 0x80);
    write((uint8_t)delta);
    while (length--) write(*rest++);
    end.base = time;
    end.number++;
    used += size;
    if (used > fullest) fullest = used;
}

static uint8_t delta_bytes(uint32_t delta) {
    uint8_t n = 1;
    while (delta >>= 7) n++;
    return n;
}

bool ring_put(uint8_t kind, uint32_t time, const uint8_t *rest, uint8_t length) {
    if (lost || RING_BYTES - used < 1u + length + delta_bytes(time - end.base)) {
        lost++;
        if (lost_ever != UINT32_MAX) lost_ever++;
        return false;
    }
    append(kind, time, rest, length);
    return true;
}

bool ring_lost_waits(void) { return lost && RING_BYTES - used >= ROOM_TO_GO_ON; }

void ring_say_lost(uint32_t time) {
    uint8_t rest[4];
    put4(rest, lost);
    append(LOST, time, rest, sizeof rest);
    lost = 0;
}

uint32_t ring_lost(void) { return lost_ever; }

uint16_t ring_first(void) { return wanted; }
uint16_t ring_next(void) { return end.number; }
uint16_t ring_used(void) { return used; }
uint16_t ring_fullest(void) { return fullest; }

// Moves the cursor behind its record; gives the bytes of that record.
static uint8_t pass(cursor *c) {
    uint16_t at = c->at;
    uint8_t kind = bytes[at], size = 1, shift = 0, byte;
    uint32_t delta = 0;
    do {
        at = on(at);
        byte = bytes[at];
        delta |= (uint32_t)(byte & 0x7F) << shift;
        shift += 7;
        size++;
    } while (byte & 0x80);
    uint8_t rest = kind < READING ? 0 : kind < LOST ? 2 : kind == LOST ? 4 : LEVEL_BYTES;
    at += 1 + rest;
    if (at >= RING_BYTES) at -= RING_BYTES;
    c->at = at;
    c->base += delta;
    c->number++;
    return size + rest;
}

bool ring_acknowledge(uint16_t next) {
    uint16_t freed = next - wanted;
    if (!freed || freed > (uint16_t)(end.number - wanted)) return false;
    wanted = next;
    return true;
}

void ring_tidy(void) {
    for (uint8_t n = 0; n < TIDY && oldest.number != wanted; n++) {
        bool behind = unsent.number == oldest.number;
        used -= pass(&oldest);
        if (behind) unsent = oldest;
        if ((uint16_t)(sent_before - oldest.number) > 0x7FFF) sent_before = oldest.number;
    }
}

void ring_again(void) { unsent = oldest; }
bool ring_out(void) { return unsent.number != wanted && oldest.number == wanted; }

uint8_t ring_take(uint8_t *out, uint8_t room, bool *again) {
    if (unsent.number == end.number || oldest.number != wanted) return 0;
    *again = unsent.number != sent_before;
    out = put4(put2(out, unsent.number), unsent.base);
    uint8_t filled = 6;
    while (unsent.number != end.number) {
        cursor next = unsent;
        uint8_t size = pass(&next);
        if (filled + size > room) break;
        filled += size;
        for (uint16_t at = unsent.at; size--; at = on(at)) *out++ = bytes[at];
        unsent = next;
        if ((uint16_t)(unsent.number - oldest.number) > (uint16_t)(sent_before - oldest.number)) sent_before = unsent.number;
    }
    return filled;
}
