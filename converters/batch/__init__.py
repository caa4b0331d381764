"""Whole folders of models: found, converted in processes, accounted for, taken up again where they stopped.

plan.py      what becomes of each model that the module discovery finds: one job a model
task.py      one job, in whatever process    unchanged.py  whether an earlier result still holds
worker.py    the process around it           workers.py  several of them, with limits; cluster.py: the same on Dask
run.py       the batch itself                journal.py  what is done, on disk
store.py     equal files once                remote.py   folders that are URLs
single.py    the report of one model         reports.py  all merged; as a page: gallery.py (gallery_page.py)
totals.py    the batch in numbers            progress.py what the terminal shows
entries.py   what the journal says of one model, and how a failure is told
"""
