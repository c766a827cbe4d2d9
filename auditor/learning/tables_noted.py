"""Takes rows of a table once: what pandas and pyarrow note for good at the first time is then there before code of a case.

A procedure that unlearns takes rows, and one that trains on what is left from the beginning need not.
"""

import pandas as pd

pd.DataFrame({"text": pd.Series(["one", "two"], dtype="str"), "number": [1.0, 2.0]}).iloc[[0]]
