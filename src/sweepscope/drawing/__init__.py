"""What does it look like? Pictures of scenes and of answers, drawn by looks: numpy only, no other library."""

from . import registered as registered  # scenes and results learn how they are drawn
