"""The methods that BATS is compared with, grouped by idea."""
