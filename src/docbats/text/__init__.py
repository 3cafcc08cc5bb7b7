"""From characters to sentences, tokens, words and parts of speech."""
