"""SupervisedSeg: the hierarchical BiLSTM of Koshorek et al. (2018), trained by us on Wiki."""
