"""The pages: each asks, calls the core, and shows."""
