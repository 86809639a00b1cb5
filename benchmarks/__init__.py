"""Ratios against a named alternative, measured in one run: they hold on a noisy machine where times do not."""
