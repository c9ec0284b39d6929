"""A simulated table: rounds of any game dealt on a drawn felt and filmed as a camera would.

``kiosk run --source sim:7,game=texas`` plays it. Everything follows from the seed, so a test knows
what was dealt; faults (an arm over the cards, a bumped camera, bad light …) are switched on by
name. Needs numpy, OpenCV and Pillow only.
"""
