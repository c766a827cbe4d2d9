"""Sandboxed runs on the machines of a cluster: Dask's or Ray's, which the user has already.

sealing     what crosses is sealed: a scheduler sees sizes and times
payloads    jobs, tables and replies as bytes; nothing but types of ours is read back
remote      what a worker does: say who it is, take tables, run a job, stop one
engines     what is asked of Dask and Ray;  dask_engine.py, ray_engine.py
choosing    this machine or a cluster, as it is asked for
workers     who is there: asked for version and barriers before anything runs
seats       a free place for each job; a lost worker's job runs again elsewhere

The auditor itself hands out the jobs, one for each free thread of a worker: it alone knows which worker a job has cost.
"""

from auditor.sandbox.cluster.choosing import BACKENDS, Backend, opened, refuse, workers_of
from auditor.sandbox.cluster.engines import LostError
from auditor.sandbox.cluster.seats import Cluster, WorkersLostError

__all__ = ["BACKENDS", "Backend", "Cluster", "LostError", "WorkersLostError", "opened", "refuse", "workers_of"]
