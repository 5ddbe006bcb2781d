// Outputs: lamps and sounders, on, off or dimmed, for a time or until told otherwise.
#ifndef OUTPUTS_H
#define OUTPUTS_H
#include <stdint.h>

void outputs_set(uint8_t channel, uint8_t level, uint16_t ms);
void outputs_forget(uint8_t channel);          // it has another mode now
void outputs_off(void);                        // all of them: nobody is there to switch them off
void outputs_round(uint16_t ms);               // call it with each look
#endif
