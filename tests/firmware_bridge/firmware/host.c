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
#include "sensors.h"
#include "settings.h"
#include "twi.h"
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
static struct {
    uint8_t address, registers[256], at, written[16], length;
    bool holds, started, addressed, writes;
    uint8_t status, byte;
    unsigned frees;
} bus;                                         // I²C with one sensor on it

uint32_t clock_us(void) { return now_us; }
uint16_t clock_ms(void) { return (uint16_t)(now_us / 1000); }

void pins_mode(uint8_t channel, uint8_t mode) {
    input[channel] = fresh[channel] = mode == DIGITAL || mode == DIGITAL_PULL_UP;
    driven[channel] = 0;
}
uint8_t pins_look(uint32_t now, uint8_t room) {
    for (uint8_t channel = 0; channel < CHANNELS && room; channel++) {
        bool changed = input[channel] && !fresh[channel] && raw[channel] != seen[channel];
        seen[channel] = raw[channel];
        fresh[channel] = 0;
        if (!changed) continue;
        ring_put((raw[channel] ? ROSE : FELL) + channel, now, NULL, 0);
        room--;
    }
    return room;
}
void pins_levels(uint8_t *to) {
    for (uint8_t channel = 0; channel < CHANNELS; channel++)
        if (input[channel] && seen[channel]) to[channel >> 3] |= (uint8_t)(1 << (channel & 7));
}
void pins_write(uint8_t channel, bool level) { driven[channel] = level; }

void adc_use(uint8_t index, bool on) { used[index] = on; }
bool adc_take(uint8_t index, uint16_t *highest) {
    bool there = used[index] && sampled[index];
    sampled[index] = false;
    *highest = sample[index];
    return there;
}

void twi_on(void) {
    bus.frees++;
    bus.started = false;
    bus.status = TWI_BUSY;
}
void twi_off(void) { bus.status = TWI_BUSY; }
void twi_start(void) {
    bus.status = bus.started ? TWI_STARTED_AGAIN : TWI_STARTED;
    bus.started = true;
    bus.addressed = false;
}
void twi_put(uint8_t byte) {
    if (!bus.addressed) {
        bus.addressed = byte >> 1 == bus.address;
        bus.writes = !(byte & 1);
        if (bus.writes) bus.length = 0;
        bus.status = !bus.addressed ? 0x20 : bus.writes ? TWI_MET_TO_WRITE : TWI_MET_TO_READ;
        return;
    }
    if (!bus.length) bus.at = byte;
    if (bus.length < sizeof bus.written) bus.written[bus.length++] = byte;
    bus.status = TWI_TAKEN;
}
void twi_get(bool more) {
    bus.byte = bus.registers[bus.at++];
    bus.status = more ? TWI_CAME : TWI_LAST_CAME;
}
void twi_stop(void) {
    bus.started = false;
    bus.status = TWI_BUSY;
}
uint8_t twi_status(void) { return bus.holds ? TWI_BUSY : bus.status; }
uint8_t twi_byte(void) { return bus.byte; }

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
    memset(&bus, 0, sizeof bus);
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
void host_sensor(uint8_t address, bool holds) {   // 0: it is gone; holds: nothing on the bus ever ends
    bus.address = address;
    bus.holds = holds;
}
void host_register(uint8_t at, uint8_t value) { bus.registers[at] = value; }
unsigned host_frees(void) { return bus.frees; }
uint8_t host_written(uint8_t *to) {
    memcpy(to, bus.written, bus.length);
    return bus.length;
}
void host_busy(bool busy) { line_busy = busy; }
void host_hear(const uint8_t *bytes, unsigned length) {
    while (length--) from_host[came++ % MOST] = *bytes++;
}
void host_look(uint32_t us) {
    now_us = us;
    sensors_look(channels_look(), clock_ms());
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
