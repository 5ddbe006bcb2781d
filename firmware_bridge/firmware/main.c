// One loop does everything in its turn; interrupts only move bytes, samples and the clock.
//
// The budget: inputs must be looked at 1,000 times a second. A look is due each 500 µs; a round does either a look or one piece of the
// link's work, so two looks are 500 µs apart and the longest round at most, which is 500 µs too. So a look writes six records at
// the most (channels.c); what else changed waits for the next one. The longest rounds as the chip itself measured them in the
// simulator, at 16 MHz, with what interrupts take of them (ADC a tenth at most, the serial line a tenth when it is full both ways), in µs:
//
//                                                                     Nano   Mega
//   a request answered                                                 130    210
//   every digital input at once: 12, 52                                190    240
//   all bells struck at once: 8; 10 and 16                             300    380, 440
//   all of that with a sensor read, every request, an overflow told    330    460
//
// S tells the longest; tests/avr/test_firmware.py holds it to 500, bench/firmware.py measures it in the busiest play.
#include "adc.h"
#include "channels.h"
#include "clock.h"
#include "link.h"
#include "outputs.h"
#include "pins.h"
#include "ring.h"
#include "sensors.h"
#include "settings.h"
#include "uart.h"
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

static uint8_t cause __attribute__((section(".noinit")));

// Before anything else: after a bite the watchdog runs on with its shortest time. Optiboot leaves the cause in r2.
void before_all(void) __attribute__((naked, used, section(".init3")));
void before_all(void) {
    uint8_t from_loader;
    __asm__ volatile("mov %0, r2" : "=r"(from_loader));
    cause = (MCUSR ? MCUSR : from_loader) & 15;
    MCUSR = 0;
    wdt_disable();
}

int main(void) {
    wdt_enable(WDTO_250MS);
    pins_boot();
    channels_boot();
    ring_boot();
    adc_boot();
    clock_boot();
    uart_boot();
    link_boot(settings_boot(), cause);
    set_sleep_mode(SLEEP_MODE_IDLE);
    sleep_enable();
    sei();
    for (;;) {
        uint32_t began = clock_us();
        wdt_reset();
        bool worked = clock_look_due();
        if (worked) {
            sensors_look(channels_look(), clock_ms());
            outputs_round(clock_ms());
        } else {
            worked = link_round(began);
            settings_round();
        }
        link_loop_took(clock_us() - began);
        // What an interrupt brought since the questions above waits for the next one: 500 µs at the most, the beat.
        if (!worked) sleep_cpu();
    }
}
