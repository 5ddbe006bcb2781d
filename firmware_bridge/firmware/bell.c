#include "bell.h"

bool bell_sample(analogue *bell, uint16_t sample, uint16_t ms, uint16_t *told) {
    if (!bell->active) {
        if (sample < bell->threshold) return false;
        bell->active = true;
        bell->rang = bell->began = ms;
        bell->value = 0;
        *told = sample;
        return true;
    }
    if (sample > bell->value) bell->value = sample;
    if ((uint16_t)(ms - bell->began) < bell->period) return false;
    *told = bell->value;
    bell->began += bell->period;
    bell->value = 0;
    // What of the tail is left is shorter than a period: the ring is told.
    if ((uint16_t)(bell->began - bell->rang) > (uint16_t)(bell->tail - bell->period)) bell->active = false;
    return true;
}

bool gauge_sample(analogue *gauge, uint16_t sample, uint16_t ms) {
    if (gauge->active) {
        if ((uint16_t)(ms - gauge->began) < gauge->period) return false;
        gauge->began = ms;
    }
    return gauge_moved(gauge, sample);
}

bool gauge_moved(analogue *gauge, uint16_t sample) {
    uint16_t moved = sample > gauge->value ? sample - gauge->value : gauge->value - sample;
    if (gauge->active && moved < gauge->threshold) return false;
    gauge->active = true;
    gauge->value = sample;
    return true;
}
