"""The bundled recording: a felt table seen from above, drawn frame by frame by this package.

``python -m models.training.recording OUT.mp4 --seed N`` writes the video and its truth beside it.
Everything in the picture (deck, courts, felt, chips, hands) is drawn here from shapes, and card
indices use only the typefaces and pip shapes that are held out from training.
"""

PX_PER_CM = 1280 / 96
"""Scale of the finished picture."""
