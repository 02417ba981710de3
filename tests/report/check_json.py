"""Validates a report against docs/report.schema.json or compare.schema.json. Usage: check_json.py SCHEMA REPORT [strict]; strict: the
schema must describe every key. Exits 77 without jsonschema."""
import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)


def close(node):
    """Readers may meet keys that were added later; what is written today must be described."""
    if isinstance(node, dict):
        if "properties" in node:
            node["additionalProperties"] = False
        node = list(node.values())
    if isinstance(node, list):
        for child in node:
            close(child)


with open(sys.argv[1], encoding="utf-8") as f:
    schema = json.load(f)
with open(sys.argv[2], encoding="utf-8") as f:
    report = json.load(f)
jsonschema.Draft202012Validator.check_schema(schema)
if "strict" in sys.argv[3:]:
    close(schema)
wrong = [f"{list(e.path)}: {e.message[:200]}" for e in jsonschema.Draft202012Validator(schema).iter_errors(report)]
print("\n".join(wrong))
sys.exit(bool(wrong))
