"""Rules fitted to documents of many sources, each judged on sources that it was not fitted to."""
