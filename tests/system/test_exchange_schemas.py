"""What is written for other tools is valid by their own schemas, as `make test-exchange` installs these."""

from __future__ import annotations

import json

import pytest

from auditor.pages import cyclonedx, oscal
from tests.remedied import SAMPLES, golden

pytestmark = [pytest.mark.exchange, pytest.mark.slow]

_WHY = "its schema is not installed: make test-exchange"
schema = pytest.importorskip("cyclonedx.schema", reason=_WHY)
validation = pytest.importorskip("cyclonedx.validation.json", reason=_WHY)
AssessmentResults = pytest.importorskip("trestle.oscal.assessment_results", reason=_WHY).AssessmentResults
VALIDATOR = validation.JsonStrictValidator(schema.SchemaVersion.V1_6)


@pytest.mark.parametrize("name", SAMPLES)
def test_bills_of_materials_are_valid(name):
    assert VALIDATOR.validate_str(cyclonedx.bom(golden(name))) is None


@pytest.mark.parametrize("name", SAMPLES)
def test_assessment_results_are_valid(name):
    AssessmentResults.model_validate(json.loads(oscal.results(golden(name)))["assessment-results"])


def test_the_validators_refuse_what_is_wrong():
    document = json.loads(cyclonedx.bom(golden("digits-newton")))
    document["declarations"]["attestations"][0]["map"][0]["conformance"]["score"] = 2
    assert VALIDATOR.validate_str(json.dumps(document)) is not None
    results = json.loads(oscal.results(golden("digits-newton")))["assessment-results"]
    results["results"][0]["findings"][0]["target"]["status"]["state"] = "unknown"
    with pytest.raises(ValueError, match="satisfied"):
        AssessmentResults.model_validate(results)
