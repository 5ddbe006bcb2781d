#include "channels.h"
#include "adc.h"
#include "bell.h"
#include "board.h"
#include "clock.h"
#include "number.h"
#include "outputs.h"
#include "pins.h"
#include "ring.h"
#include "sensors.h"

#define ADC_HIGHEST 1023
#define RECORDS_A_LOOK 6                       // so that it takes 500 µs at the most

const uint8_t channels_runs[] = RUNS;
const uint8_t channels_runs_bytes = sizeof channels_runs;

static uint8_t modes[CHANNELS];
static analogue analogues[ANALOGUES];

void channels_boot(void) {
    for (uint8_t channel = 0; channel < CHANNELS; channel++) modes[channel] = OFF;
    for (uint8_t i = 0; i < SENSORS; i++) sensors_stop(i);
}

static uint8_t can(uint8_t channel) {
    for (uint8_t i = 0; i < sizeof channels_runs; i += 2) {
        if (channel < channels_runs[i]) return channels_runs[i + 1];
        channel -= channels_runs[i];
    }
    return 0;
}

static uint8_t checked(uint8_t channel, uint8_t mode, const analogue *set) {
    static const uint8_t needs[] = {0, CAN_DIGITAL, CAN_PULL_UP, CAN_ANALOGUE, CAN_BELL, CAN_OUTPUT, CAN_SENSOR};
    if (channel >= CHANNELS) return NO_CHANNEL;
    if (mode > SENSOR) return NO_SENSE;
    if ((can(channel) & needs[mode]) != needs[mode]) return NO_ABILITY;
    bool sampled = mode == ANALOGUE || mode == BELL || mode == SENSOR;
    if (sampled != (set->period != 0) || sampled != (set->threshold != 0) || (mode == BELL) != (set->tail != 0)) return NO_SENSE;
    if ((mode != SENSOR && set->threshold > ADC_HIGHEST) || (mode == BELL && set->tail < set->period)) return NO_SENSE;
    return FINE;
}

static void set_pin(uint8_t channel, uint8_t mode, const analogue *set) {
    bool sampled = mode == ANALOGUE || mode == BELL;
    analogue *now = channel >= ANALOGUE_FIRST ? &analogues[channel - ANALOGUE_FIRST] : 0;
    if (mode == modes[channel] &&
        (!sampled || (set->period == now->period && set->threshold == now->threshold && set->tail == now->tail)))
        return;
    modes[channel] = mode;
    pins_mode(channel, mode);
    outputs_forget(channel);
    if (now) {
        *now = *set;
        adc_use(channel - ANALOGUE_FIRST, sampled);
    }
}

// The two pins of the bus and the sensors on it can't both be used: whoever is configured later has them.
static void part(uint8_t channel, uint8_t mode) {
    if (mode == OFF) return;
    if (mode == SENSOR) {
        for (uint8_t pin = BUS_FIRST; pin < BUS_FIRST + 2; pin++) set_pin(pin, OFF, &(analogue){0});
    } else if (can(channel) & CAN_BUS) {
        for (uint8_t i = 0; i < SENSORS; i++) {
            modes[SENSOR_FIRST + i] = OFF;
            sensors_stop(i);
        }
    }
}

static uint8_t set_sensor(uint8_t channel, uint8_t mode, const analogue *set, const uint8_t *bus, uint8_t length) {
    uint8_t index = channel - SENSOR_FIRST;
    if (mode == SENSOR) {
        if (!sensors_sensible(bus, length)) return NO_SENSE;
        part(channel, mode);
        sensors_use(index, set->period, set->threshold, bus);
    } else {
        sensors_stop(index);
    }
    modes[channel] = mode;
    return FINE;
}

uint8_t channels_configure(const uint8_t *settings, uint8_t length) {
    uint8_t channel = settings[0], mode = settings[1];
    analogue set = {.period = get2(settings + 2), .threshold = get2(settings + 4), .tail = get2(settings + 6)};
    uint8_t wrong = checked(channel, mode, &set);
    if (wrong) return wrong;
    if (mode != SENSOR && length != SETTINGS_BYTES) return NO_SENSE;
    if (channel >= SENSOR_FIRST) return set_sensor(channel, mode, &set, settings + SETTINGS_BYTES, length - SETTINGS_BYTES);
    part(channel, mode);
    set_pin(channel, mode, &set);
    return FINE;
}

uint8_t channels_mode(uint8_t channel) { return channel < CHANNELS ? modes[channel] : OFF; }

// Samples that find no room stay with the ADC, which keeps the highest.
static void look_at_analogues(uint32_t now, uint8_t room) {
    static uint8_t turn;
    uint16_t ms = clock_ms();
    for (uint8_t n = 0; n < ANALOGUES && room; n++) {
        uint8_t i = turn;
        turn = turn + 1 == ANALOGUES ? 0 : turn + 1;
        uint16_t sample, told;
        if (!adc_take(i, &sample)) continue;
        told = sample;
        bool due = modes[ANALOGUE_FIRST + i] == BELL ? bell_sample(&analogues[i], sample, ms, &told)
                                                     : gauge_sample(&analogues[i], sample, ms);
        if (!due) continue;
        uint8_t value[2];
        put2(value, told);
        ring_put(READING + ANALOGUE_FIRST + i, now, value, sizeof value);
        room--;
    }
}

static void tell_loss(uint32_t now) {
    ring_say_lost(now);
    channels_put_levels(now);
    for (uint8_t i = 0; i < ANALOGUES; i++)
        if (modes[ANALOGUE_FIRST + i] == ANALOGUE) analogues[i].active = false;
    sensors_tell_again();
}

uint32_t channels_look(void) {
    uint32_t now = clock_us();
    // To tell a loss is work enough for one look.
    if (ring_room_again()) tell_loss(now);
    else look_at_analogues(now, pins_look(now, RECORDS_A_LOOK));
    return now;
}

uint16_t channels_put_levels(uint32_t time) {
    uint8_t levels[LEVEL_BYTES] = {0};
    pins_levels(levels);
    return ring_put_levels(time, levels);
}
