# Answers the calls of prices.c: one JSON object in a line for each, and one for each answer.
import base64
import json
import sys

PRICES = {"apple": (0.5, "pieces"), "pear": (0.8, "pieces"), "plum": (2.8, "kg")}

for line in sys.stdin:
    call = json.loads(line)
    name = base64.b64decode(call["bytes"][0]).decode()
    answer = {"instance": call["instance"], "call": call["call"]}
    if name in PRICES:
        price, unit = PRICES[name]
        text = base64.b64encode(unit.encode() + b"\0").decode()
        answer |= {"results": [price], "writes": [{"at": call["args"][1], "bytes": text}]}
    else:
        answer["error"] = f"there is no price of [{name}]"
    print(json.dumps(answer), flush=True)
