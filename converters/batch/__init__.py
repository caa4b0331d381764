"""Batch conversion of folders of models: found, converted in processes, reported, resumed where they stopped.

plan.py      one job for each model found by the module discovery
task.py      one job, in whatever process    unchanged.py  whether an earlier result is still valid
worker.py    the process around it           workers.py  several of them, with limits; cluster.py: on Dask
run.py       the batch itself                journal.py  results on disk
store.py     equal files stored once         remote.py   folders that are URLs
single.py    the report of one model         reports.py  all reports merged; as a page: gallery.py (gallery_page.py)
totals.py    the batch in numbers            progress.py terminal output
entries.py   the journal entry of one model, and how a failure is worded
"""
