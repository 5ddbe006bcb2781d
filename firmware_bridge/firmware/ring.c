#include "ring.h"
#include "board.h"
#include "number.h"
#include <string.h>

#define ROOM_TO_GO_ON 64                       // free again before a loss is told
#define TIDY 16                                // records freed in one round
#define TAKEN 10                               // records in one frame at the most: some 30 µs each
#define TAKEN_BYTES 80

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
static bool full;
static uint32_t lost, lost_ever;               // to be told; since boot

void ring_boot(void) {
    oldest = unsent = end = (cursor){0};
    wanted = sent_before = used = fullest = 0;
    full = false;
    lost = lost_ever = 0;
}

static uint16_t on(uint16_t at) { return at + 1 == RING_BYTES ? 0 : at + 1; }

static void write(uint8_t byte) {
    bytes[end.at] = byte;
    end.at = on(end.at);
}

#define DELTA_MOST 5                           // bytes of a delta

// Seven bits a byte, the low ones first. A busy table's deltas are under 16 ms: an AVR is slow with 32 bits.
static uint8_t coded(uint32_t delta, uint8_t *to) {
    uint8_t n = 0;
    for (; delta > 0x3FFF; delta >>= 7) to[n++] = (uint8_t)delta | 0x80;
    uint16_t rest = (uint16_t)delta;
    if (rest > 0x7F) {
        to[n++] = (uint8_t)rest | 0x80;
        rest >>= 7;
    }
    to[n++] = (uint8_t)rest;
    return n;
}

static bool written(uint8_t kind, uint32_t time, const uint8_t *rest, uint8_t length) {
    uint8_t delta[DELTA_MOST], deltas = coded(time - end.base, delta);
    uint8_t size = 1 + deltas + length;
    full = full || RING_BYTES - used < size;
    if (full) return false;
    write(kind);
    for (uint8_t i = 0; i < deltas; i++) write(delta[i]);
    while (length--) write(*rest++);
    end.base = time;
    end.number++;
    used += size;
    if (used > fullest) fullest = used;
    return true;
}

bool ring_put(uint8_t kind, uint32_t time, const uint8_t *rest, uint8_t length) {
    if (written(kind, time, rest, length)) return true;
    lost++;
    if (lost_ever != UINT32_MAX) lost_ever++;
    return false;
}

uint16_t ring_put_levels(uint32_t time, const uint8_t *levels) {
    return written(LEVELS, time, levels, LEVEL_BYTES) ? end.number - 1 : end.number + 1;  // behind the lost record
}

bool ring_room_again(void) { return full && RING_BYTES - used >= ROOM_TO_GO_ON; }

void ring_say_lost(uint32_t time) {
    uint8_t rest[4];
    put4(rest, lost);
    full = false;
    written(LOST, time, rest, sizeof rest);
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
    uint8_t kind = bytes[at];
    uint8_t byte = bytes[at = on(at)], size = 2;
    uint16_t low = byte & 0x7F;                // two bytes are the rule: an AVR is slow with 32 bits
    if (byte & 0x80) {
        byte = bytes[at = on(at)];
        size++;
        low |= (uint16_t)(byte & 0x7F) << 7;
    }
    c->base += low;
    for (uint8_t shift = 14; byte & 0x80; shift += 7, size++) {
        byte = bytes[at = on(at)];
        c->base += (uint32_t)(byte & 0x7F) << shift;
    }
    uint8_t rest = kind < READING ? 0 : kind < LOST ? 2 : kind == LOST ? 4 : kind == LEVELS ? LEVEL_BYTES : 2;
    at += 1 + rest;
    if (at >= RING_BYTES) at -= RING_BYTES;
    c->at = at;
    c->number++;
    return size + rest;
}

bool ring_acknowledge(uint16_t next) {
    uint16_t freed = next - wanted;
    if (!freed || freed > (uint16_t)(end.number - wanted)) return false;
    wanted = next;
    return true;
}

bool ring_tidy(void) {
    if (oldest.number == wanted) return false;
    for (uint8_t n = 0; n < TIDY && oldest.number != wanted; n++) {
        bool behind = unsent.number == oldest.number;
        used -= pass(&oldest);
        if (behind) unsent = oldest;
        if ((uint16_t)(sent_before - oldest.number) > 0x7FFF) sent_before = oldest.number;
    }
    return true;
}

void ring_again(void) { unsent = oldest; }
bool ring_out(void) { return unsent.number != wanted && oldest.number == wanted; }

uint8_t ring_take(uint8_t *out, bool *again) {
    if (unsent.number == end.number || oldest.number != wanted) return 0;
    *again = unsent.number != sent_before;
    out = put4(put2(out, unsent.number), unsent.base);
    uint16_t from = unsent.at;
    uint8_t size = 0;
    for (uint8_t n = 0; n < TAKEN && unsent.number != end.number; n++) {
        cursor next = unsent;
        uint8_t more = pass(&next);
        if (size + more > TAKEN_BYTES) break;
        size += more;
        if (unsent.number == sent_before) sent_before++;
        unsent = next;
    }
    uint16_t to_edge = RING_BYTES - from;
    uint8_t straight = size < to_edge ? size : (uint8_t)to_edge;
    memcpy(out, bytes + from, straight);
    memcpy(out + straight, bytes, size - straight);
    return 6 + size;
}
