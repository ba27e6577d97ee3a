"""Evaluation as a product: labelled sets, scores, intervals, comparisons, and sets mined from a project's own history."""
