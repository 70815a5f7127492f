"""The Python package's part of bench/clients.sh: what map_rows.cc does, and says.

python3 map_rows.py FILE.wasm FUNCTION ROWS range|list|iterate ROUNDS
"iterate" takes the values one by one, as numbers of Python; the others as an array of NumPy.
"""

import sys
import time

import numpy as np
import wasmburst

file, function, rows, form, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], int(sys.argv[5])
with wasmburst.Client() as client:
    module = client.module(file)
    for _ in range(rounds):
        start, used = time.monotonic(), time.process_time()
        numbers = np.arange(1, rows + 1) if form == "list" else range(1, rows + 1)
        job = client.map(module, function, numbers)
        if form == "iterate":
            values = np.array(list(job))
        else:
            values = job.numpy()
        print(time.monotonic() - start, values.sum(), time.process_time() - used)
