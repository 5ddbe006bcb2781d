// The analogue inputs, sampled one after the other without a pause.
#ifndef ADC_H
#define ADC_H
#include <stdbool.h>
#include <stdint.h>

void adc_boot(void);
void adc_use(uint8_t index, bool on);          // index: 0 for A0

// The highest sample since the last call; false if there was none.
bool adc_take(uint8_t index, uint16_t *highest);
#endif
