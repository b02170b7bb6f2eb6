"""Settings for every test; imports nothing that the statistics do not need."""

import hypothesis

hypothesis.settings.register_profile("nbcompare", derandomize=True, deadline=None)
hypothesis.settings.load_profile("nbcompare")
