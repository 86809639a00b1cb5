"""MS-CXR: phrases with boxes on films of MIMIC-CXR, from its CSV or its JSON."""
