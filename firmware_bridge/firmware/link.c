#include "link.h"
#include "board.h"
#include "channels.h"
#include "clock.h"
#include "frame.h"
#include "number.h"
#include "outputs.h"
#include "ring.h"
#include "settings.h"
#include "uart.h"

#define PROTOCOL 1
#define PATIENCE 60000UL                       // µs that records may be out before they go out again
#define PATIENCE_MOST 1000000UL
#define DEADMAN 5000000UL                      // µs of silence after which outputs go off

static uint16_t boot, bad, again, longest;
static uint8_t cause;

static uint8_t in[REQUEST_BYTES], in_length;   // a frame on its way in; longer ones only count
static uint8_t waiting;                        // bytes of the request in `in` that waits for its answer
static uint8_t out[FRAME_BYTES];               // goes out from here: untouched until the line is free
static uint8_t ready;                          // bytes of type, tag and payload in it that still want their crc
static bool greet;

static uint32_t out_since, patience;
static uint32_t heard;
static bool silent;

void link_boot(uint16_t number, uint8_t why) {
    boot = number;
    cause = why;
    bad = again = longest = 0;
    in_length = waiting = ready = 0;
    greet = silent = true;
    patience = PATIENCE;
}

void link_loop_took(uint32_t us) {
    if (us > longest) longest = us > UINT16_MAX ? UINT16_MAX : (uint16_t)us;
}

// Type, tag and payload lie in `out`, up to `end`. The next round sends them: to fill and close a long frame at once takes too long.
static void filled(const uint8_t *end) { ready = (uint8_t)(end - out - 1); }

static uint8_t *hello(uint8_t *to) {
    *to++ = PROTOCOL;
    to = put2(to, boot);
    *to++ = cause;
    to = put2(to, ring_first());
    to = put2(to, ring_next());
    to = put4(to, clock_us());
    *to = settings_id(to + 1);
    to += 1 + *to;
    *to++ = sizeof BUILD - 1;
    for (const char *c = BUILD; *c;) *to++ = (uint8_t)*c++;
    *to++ = channels_runs_bytes / 2;
    for (uint8_t i = 0; i < channels_runs_bytes;) *to++ = channels_runs[i++];
    return to;
}

static uint8_t *refuse(uint8_t code) {
    out[1] = 'N';
    out[3] = code;
    return out + 4;
}

static uint8_t *same(const uint8_t *payload, uint8_t length) {
    for (uint8_t i = 0; i < length; i++) out[3 + i] = payload[i];
    return out + 3 + length;
}

static uint8_t *set_output(const uint8_t *payload) {
    if (payload[0] >= CHANNELS) return refuse(NO_CHANNEL);
    if (channels_mode(payload[0]) != OUTPUT) return refuse(NO_ABILITY);
    outputs_set(payload[0], payload[1], get2(payload + 2));
    return same(payload, 4);
}

static uint8_t *identify(const uint8_t *id, uint8_t length) {
    if (!settings_sensible(id, length)) return refuse(NO_SENSE);
    return settings_identify(id, length) ? same(id, length) : 0;
}

static uint8_t *statistics(uint8_t *to) {
    to = put2(put2(to, bad), again);
    to = put4(to, ring_lost());
    return put2(put2(to, ring_fullest()), longest);
}

static uint8_t *tell_time(uint8_t *to) {
    // Records have the time of their look, and all looks are this loop's: none that comes later is older.
    return put2(put4(to, clock_us()), ring_next());
}

// Answers the request in `in`; gives the end of the reply in `out`, NULL if there is none yet.
static uint8_t *answer(uint32_t now) {
    const uint8_t *payload = in + 3;
    out[1] = in[1] - 'a' + 'A';
    out[2] = in[2];
    switch (in[1]) {
    case 'h':
        ring_again();
        patience = PATIENCE;
        out_since = now;
        return hello(out + 3);
    case 't':
        return tell_time(out + 3);
    case 'c': {
        uint8_t wrong = channels_configure(payload, waiting - 2);
        return wrong ? refuse(wrong) : same(payload, waiting - 2);
    }
    case 'l':
        return put2(out + 3, channels_put_levels(clock_us()));
    case 'o':
        return set_output(payload);
    case 's':
        return statistics(out + 3);
    case 'i':
        return identify(payload, waiting - 2);
    default:
        return refuse(NO_TYPE);
    }
}

// Whether a request has the length of its type; those of unknown types are answered whatever they bring.
static bool readable(uint8_t type, uint8_t payload) {
    switch (type) {
    case 'h': return payload >= 1;
    case 't': case 'l': case 's': return payload == 0;
    case 'c': return payload >= SETTINGS_BYTES;
    case 'o': return payload == 4;
    case 'a': return payload == 2;
    default: return type >= 'a' && type <= 'z';
    }
}

static void acknowledged(uint32_t now) {
    if (in[2] != (uint8_t)boot || !ring_acknowledge(get2(in + 3))) return;
    patience = PATIENCE;
    out_since = now;
}

static void frame_came(uint32_t now) {
    uint8_t length = in_length <= REQUEST_BYTES ? frame_open(in, in_length) : 0;
    if (length < 2 || !readable(in[1], length - 2) || (in[1] != 'a' && !in[2])) {
        count(&bad);
        return;
    }
    heard = now;
    silent = false;
    if (in[1] == 'a') acknowledged(now);
    else waiting = length;
}

// Takes what came up to the end of a frame; the next one stays in the receive buffer until this one is dealt with.
static bool receive(uint32_t now) {
    uint8_t byte;
    while (!waiting && uart_get(&byte)) {
        if (byte) {
            if (in_length < REQUEST_BYTES) in[in_length] = byte;
            if (in_length <= REQUEST_BYTES) in_length++;
        } else if (in_length) {
            frame_came(now);
            in_length = 0;
            return true;
        }
    }
    return false;
}

static bool fill_records(uint32_t now) {
    if (ring_out() && now - out_since >= patience) {
        ring_again();
        patience = patience > PATIENCE_MOST / 2 ? PATIENCE_MOST : patience * 2;
        out_since = now;
    }
    if (!ring_out()) out_since = now;
    bool repeated;
    uint8_t length = ring_take(out + 3, &repeated);
    if (!length) return false;
    if (repeated) count(&again);
    out[1] = 'E';
    out[2] = (uint8_t)boot;
    filled(out + 3 + length);
    return true;
}

bool link_round(uint32_t now) {
    if (!silent && now - heard > DEADMAN) {
        silent = true;
        outputs_off();
    }
    if (ring_tidy() || receive(now)) return true;
    if (!uart_free()) return false;
    if (ready) {
        uart_send(out, frame_close(out, ready));
        ready = 0;
    } else if (greet) {
        greet = false;
        out[1] = 'H';
        out[2] = 0;
        filled(hello(out + 3));
    } else if (waiting) {
        const uint8_t *end = answer(now);
        waiting = 0;
        if (end) filled(end);
    } else {
        return fill_records(now);
    }
    return true;
}
