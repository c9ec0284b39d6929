/* The button panel: joins the protocol core to the board's pins, clock and memory. */
#include "keys.h"
#include "lcd.h"
#include "pins.h"
#include "session.h"
#include "shift.h"
#include "store.h"
#include "uart.h"

#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/atomic.h>

#ifndef BUILD_ID
#error "the Makefile gives BUILD_ID"
#endif

#define SLOW_MS 512 /* half a period of blinking; powers of two */
#define FAST_MS 128
#define SAMPLE_MS 2
#define SAMPLES 16 /* a power of two: so many wait for a main loop that is busy with the line */

static const char BUILD[] PROGMEM = BUILD_ID;
static const char RESETS[5][9] PROGMEM = {"power", "button", "watchdog", "brownout", "other"};

static session_t session;
static keys_t keys;
static volatile uint32_t milliseconds;
static volatile uint16_t contacts[SAMPLES];
static volatile uint8_t sampled; /* so many samples have been taken */
static uint8_t looked_at;        /* and so many of them looked at */

/* Why the board started, before anything clears it. Boot loaders that clear the register leave a
 * copy in r2. */
static uint8_t cause __attribute__((section(".noinit")));

void keep_cause(void) __attribute__((naked, used, section(".init3")));
void keep_cause(void)
{
    uint8_t copy;
    __asm__ volatile("mov %0, r2" : "=r"(copy));
    cause = MCUSR ? MCUSR : copy;
    MCUSR = 0;
    wdt_disable();
}

static const char *reset_word(void)
{
    if (cause & (1 << WDRF))
        return RESETS[2];
    if (cause & (1 << BORF))
        return RESETS[3];
    if (cause & (1 << PORF))
        return RESETS[0];
    return RESETS[cause & (1 << EXTRF) ? 1 : 4];
}

/* The contacts are sampled here, so that no work elsewhere makes a sample late. */
ISR(TIMER0_COMPA_vect)
{
    if (!(++milliseconds % SAMPLE_MS))
        contacts[sampled++ % SAMPLES] = shift_contacts();
}

static uint32_t now(void)
{
    uint32_t copy;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        copy = milliseconds;
    }
    return copy;
}

static void clock_init(void)
{
    TCCR0A = 1 << WGM01;
    TCCR0B = (1 << CS01) | (1 << CS00);
    OCR0A = (uint8_t)(F_CPU / 64 / 1000 - 1);
    TIMSK0 = 1 << OCIE0A;
}

static void key_event(key_event_t event, uint32_t time)
{
    (void)session_key(&session, event, time);
}

/* The lights as they are at this moment of their blinking, one bit a box. */
static uint8_t lights_at(uint32_t time)
{
    uint8_t lights = 0;
    for (uint8_t box = 0; box < LIGHTS; box++) {
        char state = session.lights[box];
        bool on = state == '1' || (state == '2' && !(time & SLOW_MS))
                  || (state == '3' && !(time & FAST_MS));
        lights |= (uint8_t)(on << box);
    }
    return lights;
}

/* The samples that have come since the last look, each with the time it was taken at. */
static void look_at_keys(void)
{
    uint32_t time;
    uint8_t waiting;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        time = milliseconds - milliseconds % SAMPLE_MS;
        waiting = (uint8_t)(sampled - looked_at);
    }
    if (waiting > SAMPLES) {
        looked_at = (uint8_t)(looked_at + waiting - SAMPLES);
        waiting = SAMPLES;
    }
    while (waiting--) {
        uint16_t mask;
        ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
        {
            mask = contacts[looked_at % SAMPLES];
        }
        looked_at++;
        keys_sample(&keys, mask, time - (uint32_t)waiting * SAMPLE_MS, key_event);
    }
    session.keys = keys.down;
}

/* What is done once a millisecond. */
static void each_millisecond(void)
{
    look_at_keys();
    uint32_t time = now();
    session_tick(&session, time);
    lcd_step((const char(*)[COLUMNS])session.text, &session.dirty);
    shift_lights(lights_at(time));
    if (session.serial_new) {
        session.serial_new = false;
        store_begin(session.serial);
    }
    store_step();
}

int main(void)
{
    uint32_t done = 0;
    wdt_enable(WDTO_2S);
    session.send = uart_send;
    session.build = BUILD;
    session.reset = reset_word();
    store_load(session.serial);
    shift_init();
    uart_init();
    clock_init();
    lcd_init();
    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
    session_start(&session, now());
    for (;;) {
        uint8_t byte;
        wdt_reset();
        while (uart_take(&byte))
            session_receive(&session, byte, now());
        uint32_t time = now();
        if (time != done) {
            done = time;
            each_millisecond();
        }
        sleep_mode();
    }
}
