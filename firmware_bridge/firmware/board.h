// What differs between the boards. On the host, where the tests compile the portable parts, everything is as on a Nano.
//
// RUNS: how many channels in a row, and what each of them can do (docs/protocol.md); numbers are those of an Arduino's pins.
#ifndef BOARD_H
#define BOARD_H

#define VERSION "0.1.0"

enum { CAN_DIGITAL = 1, CAN_PULL_UP = 2, CAN_ANALOGUE = 4, CAN_BELL = 8, CAN_OUTPUT = 16 };
#define SERIAL_PIN 0
#define PLAIN (CAN_DIGITAL | CAN_PULL_UP | CAN_OUTPUT)
#define ADC_ALONE (CAN_ANALOGUE | CAN_BELL)

#ifdef __AVR_ATmega2560__
#define BUILD "mega " VERSION
#define CHANNELS 70
#define RUNS {2, SERIAL_PIN, 52, PLAIN, 16, PLAIN | ADC_ALONE}
#define ANALOGUE_FIRST 54
#define ANALOGUES 16
#define RING_BYTES 4096
#else
#define BUILD "nano " VERSION
#define CHANNELS 22
#define RUNS {2, SERIAL_PIN, 12, PLAIN, 6, PLAIN | ADC_ALONE, 2, ADC_ALONE}
#define ANALOGUE_FIRST 14
#define ANALOGUES 8
#define RING_BYTES 1152
#endif
#endif
