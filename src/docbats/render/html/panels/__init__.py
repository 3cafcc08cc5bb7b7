"""The panels of a report: one file for each, and in it one function from a result to markup."""
