"""From decoded values to gray levels: modality, window, polarity, looks."""
