"""MIMIC-CXR-JPG and MIMIC-CXR: images, splits, labels of four states, reports."""
