// One loop does everything in its turn; interrupts only move bytes, samples and the clock.
//
// What the loop may take: inputs are to be looked at 1,000 times a second, and a look is due each 500 µs, so a round may take up to
// 500 µs. A round does either the look or one piece of the link's work. On an ATmega328P at 16 MHz, measured in the simulator
// (bench/firmware.py), with interrupts (ADC 10 %, serial line 11 % at full speed both ways) included:
//
//   look, nothing moved, 8 bells     130 µs      every edge in it     9 µs more
//   longest frame taken and closed   400 µs      request answered   100 µs
#include "adc.h"
#include "channels.h"
#include "clock.h"
#include "link.h"
#include "outputs.h"
#include "pins.h"
#include "ring.h"
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
            channels_look();
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
