"""The life of a round: a pure state machine from what is seen and entered to what is owed.

``round.apply`` takes a state and an event and gives the next state and what happened;
``snapshot.snapshot`` shows a state as JSON. No clocks, no camera, no web in here.
"""
