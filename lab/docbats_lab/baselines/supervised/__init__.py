"""SupervisedSeg: the hierarchical BiLSTM of Koshorek et al. (2018), trained on Wiki by us."""
