"""The parts of the Datasets page: a card for each dataset, and the form that adds or changes one."""
