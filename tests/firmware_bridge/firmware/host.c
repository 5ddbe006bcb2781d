// The portable parts of the firmware on the host: what they want of a board, as plain variables that the tests set and read.
#include "adc.h"
#include "board.h"
#include "channels.h"
#include "clock.h"
#include "frame.h"
#include "link.h"
#include "outputs.h"
#include "pins.h"
#include "ring.h"
#include "settings.h"
#include "uart.h"
#include <string.h>

#define MOST 65536

static uint32_t now_us;
static uint8_t raw[CHANNELS], seen[CHANNELS], input[CHANNELS], fresh[CHANNELS], driven[CHANNELS];
static uint16_t sample[ANALOGUES];
static bool sampled[ANALOGUES], used[ANALOGUES];
static uint8_t id[ID_MOST], id_length;
static uint8_t from_host[MOST], to_host[MOST];
static unsigned came, taken, said;
static bool line_busy;

uint32_t clock_us(void) { return now_us; }
uint16_t clock_ms(void) { return (uint16_t)(now_us / 1000); }

void pins_mode(uint8_t channel, uint8_t mode) {
    input[channel] = fresh[channel] = mode == DIGITAL || mode == DIGITAL_PULL_UP;
    driven[channel] = 0;
}
void pins_look(uint32_t now) {
    for (uint8_t channel = 0; channel < CHANNELS; channel++) {
        bool changed = input[channel] && !fresh[channel] && raw[channel] != seen[channel];
        seen[channel] = raw[channel];
        fresh[channel] = 0;
        if (changed) ring_put((raw[channel] ? ROSE : FELL) + channel, now, NULL, 0);
    }
}
bool pins_level(uint8_t channel) { return seen[channel]; }
void pins_write(uint8_t channel, bool level) { driven[channel] = level; }

void adc_use(uint8_t index, bool on) { used[index] = on; }
bool adc_take(uint8_t index, uint16_t *highest) {
    bool there = used[index] && sampled[index];
    sampled[index] = false;
    *highest = sample[index];
    return there;
}

uint8_t settings_id(uint8_t *to) {
    memcpy(to, id, id_length);
    return id_length;
}
bool settings_identify(const uint8_t *wanted, uint8_t length) {
    memcpy(id, wanted, length);
    id_length = length;
    return true;
}

bool uart_get(uint8_t *byte) {
    if (taken == came) return false;
    *byte = from_host[taken++ % MOST];
    return true;
}
bool uart_free(void) { return !line_busy; }
void uart_send(const uint8_t *bytes, uint8_t length) {
    for (uint8_t i = 0; i < length && said < MOST; i++) to_host[said++] = bytes[i];
}

// For the tests.

void host_boot(uint16_t boots, uint8_t cause) {
    now_us = came = taken = said = 0;
    line_busy = false;
    memset(input, 0, sizeof input);
    memset(used, 0, sizeof used);
    memset(driven, 0, sizeof driven);
    channels_boot();
    ring_boot();
    link_boot(boots, cause);
}
void host_name(const uint8_t *name, uint8_t length) { settings_identify(name, length); }
void host_pin(uint8_t channel, uint8_t level) { raw[channel] = level; }
uint8_t host_driven(uint8_t channel) { return driven[channel]; }
void host_sample(uint8_t index, uint16_t value) {
    sample[index] = value;
    sampled[index] = true;
}
void host_busy(bool busy) { line_busy = busy; }
void host_hear(const uint8_t *bytes, unsigned length) {
    while (length--) from_host[came++ % MOST] = *bytes++;
}
void host_look(uint32_t us) {
    now_us = us;
    channels_look();
    outputs_round(clock_ms());
}
// Rounds of the link until there is no work left; gives what was said, at `bytes`.
unsigned host_rounds(uint32_t us, const uint8_t **bytes) {
    now_us = us;
    said = 0;
    while (link_round(us)) {}
    *bytes = to_host;
    return said;
}
