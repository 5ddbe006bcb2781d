// What differs between the boards. On the host, where the tests compile the portable parts, everything is as on a Nano.
//
// RUNS: how many channels in a row, and what each of them can do (docs/protocol.md); numbers are those of an Arduino's pins, and
// behind the last pin come the sensors on I²C.
#ifndef BOARD_H
#define BOARD_H

#define VERSION "0.1.0"

enum { CAN_DIGITAL = 1, CAN_PULL_UP = 2, CAN_ANALOGUE = 4, CAN_BELL = 8, CAN_OUTPUT = 16, CAN_SENSOR = 32, CAN_BUS = 64 };
#define SERIAL_PIN 0
#define PLAIN (CAN_DIGITAL | CAN_PULL_UP | CAN_OUTPUT)
#define ADC_ALONE (CAN_ANALOGUE | CAN_BELL)
#define SENSORS 2
#define CHANNELS (PINS + SENSORS)

#ifdef __AVR_ATmega2560__
#define BUILD "mega " VERSION
#define PINS 70
#define RUNS {2, SERIAL_PIN, 18, PLAIN, 2, PLAIN | CAN_BUS, 32, PLAIN, 16, PLAIN | ADC_ALONE, SENSORS, CAN_SENSOR}
#define ANALOGUE_FIRST 54
#define ANALOGUES 16
#define BUS_FIRST 20                           // SDA; SCL is the next one
#define RING_BYTES 4096
#else
#define BUILD "nano " VERSION
#define PINS 22
#define RUNS {2, SERIAL_PIN, 12, PLAIN, 4, PLAIN | ADC_ALONE, 2, PLAIN | ADC_ALONE | CAN_BUS, 2, ADC_ALONE, SENSORS, CAN_SENSOR}
#define ANALOGUE_FIRST 14
#define ANALOGUES 8
#define BUS_FIRST 18
#ifndef RING_BYTES                             // a test may want less
#define RING_BYTES 1152
#endif
#endif
#endif
