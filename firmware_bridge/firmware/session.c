#include "session.h"

#include <string.h>

static const char DEVICE[] PROGMEM = "dealer-panel";
static const char NEUTRAL[] PROGMEM = "Waiting for kiosk";
static const char KINDS[] PROGMEM = "PRLS";

static bool reached(uint32_t now, uint32_t time)
{
    return (int32_t)(now - time) >= 0;
}

static line_t *begin(session_t *session, char kind, uint8_t number)
{
    line_begin(&session->line, kind, number, session->session);
    return &session->line;
}

static void finish(session_t *session)
{
    line_end(&session->line);
    session->send(session->line.text, session->line.length);
}

static void answer(session_t *session, char kind, uint8_t number)
{
    (void)begin(session, kind, number);
    finish(session);
}

static void say_hello(session_t *session, uint32_t now)
{
    line_t *line = begin(session, 'H', 0);
    line_word_P(line, DEVICE);
    line_decimal(line, PROTOCOL_VERSION);
    line_word(line, session->serial);
    line_word_P(line, session->build);
    line_word_P(line, session->reset);
    line_decimal(line, now);
    finish(session);
}

static void beat(session_t *session, uint32_t now)
{
    line_t *line = begin(session, 'T', (uint8_t)(session->expected - 1));
    line_decimal(line, now);
    line_hex(line, session->keys);
    line_decimal(line, decoder_faults(&session->decoder));
    finish(session);
}

static uint8_t oldest(const session_t *session)
{
    return (uint8_t)(session->next_number - session->count);
}

/* Send the event that is `ahead` places behind the oldest one. */
static void send_event(session_t *session, uint8_t ahead)
{
    uint8_t at = (uint8_t)((session->first + ahead) % QUEUE);
    char kind = (char)pgm_read_byte(&KINDS[session->what[at] >> 4]);
    line_t *line = begin(session, kind, (uint8_t)(oldest(session) + ahead));
    line_button(line, session->what[at] & 15);
    line_decimal(line, session->when[at]);
    finish(session);
}

/* The oldest event is a new one: its tries and pauses start again. */
static void fresh(session_t *session, uint32_t now)
{
    session->tries = 1;
    session->pause = RESEND_MS;
    session->due = now + RESEND_MS;
    session->since = now;
}

static void again(session_t *session, uint32_t now)
{
    if (session->tries < TRIES)
        session->tries++;
    session->due = now + session->pause;
    send_event(session, 0);
}

/* Everything up to `number` has been taken. True if that settles something. */
static bool acknowledge(session_t *session, uint8_t number, uint32_t now)
{
    uint8_t distance = (uint8_t)(number - oldest(session));
    if (distance >= session->count)
        return false;
    session->first = (uint8_t)((session->first + distance + 1) % QUEUE);
    session->count = (uint8_t)(session->count - distance - 1);
    fresh(session, now);
    return true;
}

/* `number` is lacking; bit n of `kept` says that number + 1 + n is not. */
static void missing(session_t *session, uint8_t number, uint32_t kept, uint32_t now)
{
    if (number != oldest(session) && !acknowledge(session, (uint8_t)(number - 1), now))
        return;
    if (!session->count)
        return;
    again(session, now);
    for (uint8_t ahead = 1; kept && ahead < session->count; ahead++, kept >>= 1)
        if (!(kept & 1))
            send_event(session, ahead);
}

static void restart(session_t *session, uint16_t number)
{
    session->session = number;
    session->first = session->count = session->next_number = 0;
    session->expected = 0;
    session->has_asked = false;
}

/* No kiosk: neutral display and lights, so that no old payout stays. */
static void neutral(session_t *session)
{
    const char *at = NEUTRAL;
    char *out = session->text[0], one;
    memset(session->text, ' ', sizeof session->text);
    while ((one = (char)pgm_read_byte(at++)))
        *out++ = one;
    memset(session->lights, '0', LIGHTS);
    session->dirty = (1 << ROWS) - 1;
}

void session_start(session_t *session, uint32_t now)
{
    restart(session, 0);
    neutral(session);
    session->next = now;
}

static void query(session_t *session, const frame_t *frame, uint32_t now)
{
    bool ours = frame->length == 1 && frame->fields[0] == '0' + PROTOCOL_VERSION;
    if (ours && frame->session != session->session) {
        restart(session, frame->session);
        session->next = now + BEAT_MS;
    }
    if (frame->session == session->session)
        session->heard = now;
    say_hello(session, now);
}

static void perform(session_t *session, const frame_t *frame)
{
    if (frame->kind == 'D') {
        uint8_t row = (uint8_t)(frame->fields[0] - '1');
        frame_text(frame, session->text[row]);
        session->dirty |= (uint8_t)(1 << row);
    } else if (frame->kind == 'G') {
        memcpy(session->lights, frame->fields, LIGHTS);
    } else {
        memcpy(session->serial, frame->fields, frame->length);
        session->serial[frame->length] = 0;
        session->serial_new = true;
    }
}

static void ask_missing(session_t *session, uint32_t now)
{
    if (session->has_asked && session->asked == session->expected
        && now - session->asked_at < GAP_HOLD_MS)
        return;
    session->has_asked = true;
    session->asked = session->expected;
    session->asked_at = now;
    answer(session, 'M', session->expected);
}

static void command(session_t *session, const frame_t *frame, uint32_t now)
{
    uint8_t distance = (uint8_t)(frame->number - session->expected);
    if (distance > 0 && distance < 128) {
        ask_missing(session, now);
        return;
    }
    if (distance == 0) {
        session->expected++;
        session->has_asked = false;
        perform(session, frame);
    }
    answer(session, 'Y', (uint8_t)(session->expected - 1));
}

void session_receive(session_t *session, uint8_t byte, uint32_t now)
{
    frame_t frame;
    if (!decoder_push(&session->decoder, byte, &frame))
        return;
    if (frame.kind == 'Q') {
        query(session, &frame, now);
    } else if (!session->session || frame.session != session->session) {
        if (session->foreign != 0xFFFF)
            session->foreign++;
    } else {
        session->heard = now;
        if (frame.kind == 'N')
            missing(session, frame.number, frame_kept(&frame), now);
        else if (frame.kind == 'K' || frame.kind == 'A')
            (void)acknowledge(session, frame.number, now);
        else
            command(session, &frame, now);
    }
}

static uint8_t kind_index(char kind)
{
    uint8_t index = 0;
    while (index < 3 && (char)pgm_read_byte(&KINDS[index]) != kind)
        index++;
    return index;
}

bool session_key(session_t *session, key_event_t event, uint32_t now)
{
    if (!session->session || session->count == QUEUE) {
        if (session->dropped != 0xFFFF)
            session->dropped++;
        return false;
    }
    uint8_t at = (uint8_t)((session->first + session->count) % QUEUE);
    session->what[at] = (uint8_t)(kind_index(event.kind) << 4 | (event.button & 15));
    session->when[at] = now;
    session->count++;
    session->next_number++;
    if (session->count == 1)
        fresh(session, now);
    send_event(session, (uint8_t)(session->count - 1));
    return true;
}

/* The oldest event has been sent often and for long, in vain. */
static bool tired(const session_t *session, uint32_t now)
{
    return session->count && session->tries >= TRIES && now - session->since >= SILENCE_MS;
}

void session_tick(session_t *session, uint32_t now)
{
    if (session->session
        && (now - session->heard >= SILENCE_MS || tired(session, now))) {
        restart(session, 0);
        neutral(session);
        session->next = now;
    }
    if (!session->session) {
        if (reached(now, session->next)) {
            session->next = now + HELLO_MS;
            say_hello(session, now);
        }
        return;
    }
    if (reached(now, session->next)) {
        session->next = now + BEAT_MS;
        beat(session, now);
    }
    if (session->count && reached(now, session->due)) {
        session->pause = (uint16_t)(session->pause * 3 / 2);
        if (session->pause > RESEND_MAX_MS)
            session->pause = RESEND_MAX_MS;
        again(session, now);
    }
}
