"""A Slurm cluster of virtual nodes on this machine, as an ordinary user, in a folder of its own.

Needs Debian's slurmctld, slurmd and slurm-client; no munge, no cgroups, no database. All nodes share this host, so each
has a name, a port and a spool folder of its own.
"""

import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ("slurmctld", "slurmd", "sbatch", "squeue", "sinfo", "scancel")

CONFIGURATION = """ClusterName=virtual
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/run/slurmctld.pid
SlurmdPidFile={folder}/run/slurmd.%n.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd.%n.log
SlurmdTimeout=10
KillWait=2
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=2
AccountingStorageType=accounting_storage/none
NodeName=node[1-{nodes}] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first}-{last}] CPUs=2 RealMemory=1000
PartitionName=all Nodes=ALL Default=YES MaxTime=10 State=UP
"""


def missing_programs():
    path = os.environ.get("PATH", "") + ":/usr/sbin"
    return [name for name in PROGRAMS if not shutil.which(name, path=path)]


class VirtualCluster:
    def __init__(self, folder, nodes, port=17300):
        self.folder = pathlib.Path(folder)
        self.nodes = nodes
        for name in ("state", "spool", "log", "run"):
            (self.folder / name).mkdir(parents=True)
        self.file = self.folder / "slurm.conf"
        self.file.write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], user=getpass.getuser(), folder=self.folder, port=port,
            nodes=nodes, first=port + 1, last=port + nodes))
        self.environment = {**os.environ, "SLURM_CONF": str(self.file), "PATH": os.environ["PATH"] + ":/usr/sbin"}

    def start(self):
        self.call("slurmctld", "-f", str(self.file), "-c")
        for node in range(1, self.nodes + 1):
            (self.folder / f"spool/node{node}").mkdir()
            self.call("slurmd", "-N", f"node{node}", "-f", str(self.file))
        self.wait_for(lambda: len(set(self.call("sinfo", "-h", "-N", "-t", "idle", "-o", "%N").split())) == self.nodes,
                      "all nodes to be idle")

    def call(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=True).stdout

    def wait_for(self, holds, what, patience_s=30):
        end = time.monotonic() + patience_s
        while not holds():
            if time.monotonic() > end:
                raise AssertionError(f"waited {patience_s} s for {what}:\n" + self.call("sinfo", "-N", "-l"))
            time.sleep(0.1)

    def stop(self):
        for file in self.folder.glob("run/*.pid"):
            try:
                os.kill(int(file.read_text()), signal.SIGTERM)
            except (ProcessLookupError, ValueError):
                pass
