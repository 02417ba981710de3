"""Validates a report against docs/report.schema.json. Usage: check_json.py SCHEMA REPORT. Exits 77 without jsonschema."""
import json
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)
with open(sys.argv[1], encoding="utf-8") as f:
    schema = json.load(f)
with open(sys.argv[2], encoding="utf-8") as f:
    report = json.load(f)
jsonschema.Draft202012Validator.check_schema(schema)
wrong = [f"{list(e.path)}: {e.message[:200]}" for e in jsonschema.Draft202012Validator(schema).iter_errors(report)]
print("\n".join(wrong))
sys.exit(bool(wrong))
