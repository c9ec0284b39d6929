/* The panel's end of the protocol: session, numbers, resending (docs/protocol.md).
 * Plain C without clock or port; the Python twin is firmware_bridge/board.py. */
#ifndef SESSION_H
#define SESSION_H

#include "frame.h"

#define QUEUE 48
#define SILENCE_MS 3000
#define BEAT_MS 500
#define HELLO_MS 1000
#define RESEND_MS 150
#define RESEND_MAX_MS 600
#define TRIES 20
#define GAP_HOLD_MS 40

/* `kind` is P, R, L or S; `what` in the queue packs it with the button. */
typedef struct {
    char kind;
    uint8_t button;
} key_event_t;

typedef struct {
    /* Set by the owner before session_start; `reset` and `build` point into flash. */
    void (*send)(const char *line, uint8_t length);
    const char *build, *reset;
    char serial[SERIAL_MAX + 1];

    /* What is to be shown; `dirty` has a bit for each row. The owner clears what it has done. */
    char text[ROWS][COLUMNS];
    char lights[LIGHTS];
    uint8_t dirty;
    bool serial_new;

    uint16_t keys; /* held down now, told in T frames */
    uint16_t dropped, foreign;

    uint16_t session;
    decoder_t decoder;
    line_t line; /* the frame being written; here and not on the stack, which is small */
    uint32_t heard, next;

    uint8_t what[QUEUE];
    uint32_t when[QUEUE];
    uint8_t first, count, next_number;
    uint8_t tries;
    uint16_t pause;
    uint32_t due, since;

    uint8_t expected, asked;
    bool has_asked;
    uint32_t asked_at;
} session_t;

void session_start(session_t *session, uint32_t now);
void session_receive(session_t *session, uint8_t byte, uint32_t now);
bool session_key(session_t *session, key_event_t event, uint32_t now);
void session_tick(session_t *session, uint32_t now);

#endif
