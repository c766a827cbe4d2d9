"""Speed, measured: ratios against a stated, fair baseline in the same run; `make bench` prints them all."""
