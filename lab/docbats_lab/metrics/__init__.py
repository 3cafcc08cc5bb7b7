"""How good topics and segments are (eqs. 15 to 20)."""
