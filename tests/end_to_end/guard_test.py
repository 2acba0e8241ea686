"""The guard quiets a machine, records its changes and restores them, however the run ends. It reports what it may not do."""

import os
import pathlib
import signal
import subprocess
import time

from guard_case import GuardTest, leave_tuned, run_here, strace
from guarded_machine import CPU, STEPGATE, bind, libc, quiet_environment, wait_until
from open_launcher import open_launcher


class ModeHost(GuardTest):
    def test_sets_reads_back_records_and_restores(self):
        self.machine.start_daemon()
        self.machine.write_manifest(seconds=0.5)
        run = self.machine.start()
        self.assertTrue(wait_until(lambda: self.machine.tree()["cpu/intel_pstate/no_turbo"] == "1"))
        policy = f"cpu/cpufreq/policy{CPU}"
        wait_until(lambda: self.machine.daemon_state() == "T")
        time.sleep(0.2)
        during = self.machine.tree()
        self.assertEqual(during[f"{policy}/scaling_governor"], "performance")
        self.assertEqual(during[f"{policy}/scaling_min_freq"], during[f"{policy}/scaling_max_freq"])
        self.assertNotIn(str(CPU), during["irq/24/smp_affinity_list"].replace("-", ","))
        self.assertEqual(self.machine.daemon_state(), "T")
        output, _ = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 0, output)
        self.assert_restored("after a whole run")
        self.assertFalse(self.machine.journal().exists())
        record = next(self.machine.out.rglob("measurement.json")).read_text()
        self.assertIn('"mode": "host"', record)
        self.assertIn("governor", record)

    def test_other_modes_change_nothing_of_the_host(self):
        for mode in ("observe", "process"):
            log = self.machine.folder / "trace"
            subprocess.run(["strace", "-f", "-qq", "-e", "trace=openat,open,creat,mkdir,rmdir,kill", "-o", log,
                            *self.machine.command(mode)], check=True, capture_output=True, env=quiet_environment())
            touched = [line for line in log.read_text().splitlines()
                       if ("O_WRONLY" in line or "O_RDWR" in line or "mkdir" in line or "rmdir" in line)
                       and any(f'"{place}' in line for place in ("/sys/", "/proc/irq", "/proc/sys", "/dev/cpu_dma"))]
            self.assertEqual(touched, [], mode)
            self.assertFalse(self.machine.state.exists(), mode)
            self.assert_restored(mode)

    def test_doctor_changes_nothing(self):
        log = self.machine.folder / "trace"
        subprocess.run(["strace", "-f", "-qq", "-e", "trace=write,pwrite64,mkdir,rmdir,kill", "-y", "-o", log, STEPGATE, "doctor",
                        "--state-dir", self.machine.state], check=True, capture_output=True, env=quiet_environment())
        written = [line for line in log.read_text().splitlines()
                   if "write" in line and any(f"<{place}" in line for place in ("/sys/", "/proc/", "/dev/cpu"))]
        self.assertEqual(written, [])
        self.assert_restored("doctor")


class OtherEnds(GuardTest):
    def test_everything_is_restored_after_signals(self):
        self.machine.start_daemon()
        self.machine.write_manifest(seconds=10)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            run = self.machine.start()
            self.assertTrue(wait_until(lambda: self.machine.tree()["cpu/intel_pstate/no_turbo"] == "1"))
            time.sleep(0.1)
            run.send_signal(number)
            run.communicate(timeout=60)
            self.assertEqual(run.returncode, 128 + number)
            self.assert_restored(f"signal {number}")
            self.assertFalse(self.machine.journal().exists())

    def test_out_of_memory(self):
        """A failed allocation is an exception like any other: the guard restores the machine before the program ends."""
        for megabytes in (30, 40, 50, 60, 80, 120):
            words = ["prlimit", f"--as={megabytes << 20}", *self.machine.command()]
            subprocess.run(words, capture_output=True, env=quiet_environment(), timeout=60)
            self.wait_for_watchdog()
            self.machine.recover()
            self.assert_restored(f"{megabytes} MB of memory")

    def test_with_a_full_disk_nothing_is_changed(self):
        self.machine.state.mkdir()
        if libc.mount(b"none", str(self.machine.state).encode(), b"tmpfs", 0, b"size=4k") != 0:
            self.skipTest("mounting a tmpfs is not allowed here")
        self.addCleanup(libc.umount2, str(self.machine.state).encode(), 2)
        (self.machine.state / "filler").write_bytes(b"x" * 4096)
        run = self.machine.start()
        output, _ = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 0, "it measures in a lower mode: " + output)
        self.assertIn("journal", output)
        self.assertIn("No space left", output)
        self.assert_restored("a full disk")

    def test_a_torn_journal(self):
        leave_tuned(self)
        whole = self.machine.journal().read_bytes()
        tuned = self.machine.tree()
        self.assertNotEqual(tuned, self.machine.original)
        self.machine.journal().write_bytes(whole + whole[:57])  # an incomplete line
        done = self.machine.recover()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("damaged lines of the journal, ignored: 1;", done.stdout)
        self.assert_restored("torn journal")

    def with_another_boot_id(self):
        boot = self.machine.folder / "boot_id"
        boot.write_text("01234567-0000-0000-0000-000000000000\n")
        bind(boot, "/proc/sys/kernel/random/boot_id")

    def test_a_restarted_container(self):
        leave_tuned(self)
        self.with_another_boot_id()  # some containers have their own boot id; the machine did not reboot
        done = self.machine.recover()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_restored("container started again")

    def test_a_journal_of_another_boot(self):
        leave_tuned(self)
        tuned = self.machine.tree()
        self.with_another_boot_id()
        stat = self.machine.folder / "stat"
        stat.write_text("btime 1000000\n")
        bind(stat, "/proc/stat")
        done = self.machine.recover()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("rebooted", done.stdout)
        self.assertEqual(self.machine.tree(), tuned, "settings of the new boot must not change")
        self.assertFalse(self.machine.journal().exists())

    def test_changes_of_somebody_else_stay(self):
        leave_tuned(self)
        theirs = self.machine.cpus / "cpufreq" / f"policy{CPU}" / "scaling_governor"
        theirs.write_text("schedutil\n")
        done = self.machine.recover()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("left alone", done.stdout)
        self.assertIn("schedutil", done.stdout)
        now = self.machine.tree()
        key = f"cpu/cpufreq/policy{CPU}/scaling_governor"
        self.assertEqual(now.pop(key), "schedutil")
        expected = dict(self.machine.original)
        expected.pop(key)
        self.assertEqual(now, expected)
        self.assertTrue(list(self.machine.state.glob("conflicts-*.txt")))
        self.assertIn("nothing to restore", self.machine.recover().stdout)

    def test_the_next_run_recovers_first(self):
        leave_tuned(self)
        self.machine.write_manifest(seconds=0.05)
        run = self.machine.start()
        output, _ = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 0, output)
        self.assertIn("an earlier run was killed", output)
        self.assert_restored("a run after a killed one")

    def test_a_knob_overwritten_during_a_process_discards_it(self):
        self.machine.write_manifest(seconds=1)
        run = self.machine.start()
        self.assertTrue(wait_until(lambda: self.machine.tree()["cpu/intel_pstate/no_turbo"] == "1"))
        time.sleep(0.3)
        (self.machine.cpus / "intel_pstate" / "no_turbo").write_text("0\n")
        run.communicate(timeout=60)
        self.assertIn("knobs_overwritten 1 above 0", next(self.machine.out.rglob("measurement.json")).read_text())


class Denials(GuardTest):
    """Each denial gives a clear message and a lower mode, and never stops the measurement."""

    def measured(self, prefix):
        run = self.machine.start(prefix=prefix)
        output, _ = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 0, output)
        self.assert_restored(" ".join(prefix))
        return output

    def doctor(self, prefix):
        done = subprocess.run([*prefix, self.machine.program, "doctor", "--state-dir", self.machine.state], capture_output=True,
                              text=True, env=quiet_environment(), cwd=self.machine.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_dropped_capabilities(self):
        dropped = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--reuid=65534", "--clear-groups"]
        self.machine.program = open_launcher(self.machine.folder)
        os.chmod(self.machine.folder, 0o777)
        said = self.doctor(dropped)
        self.assertRegex(said, r"priority +denied")
        self.assertRegex(said, r"governor +denied")
        self.assertIn("CAP_SYS_NICE", said)
        self.assertIn("denied", self.measured(dropped))

    def test_read_only_sys(self):
        remount, read_only = 32, 1
        for place in (b"/sys/devices/system/cpu", b"/proc/irq"):
            self.assertEqual(libc.mount(b"none", place, None, 4096 | remount | read_only, None), 0)
            self.addCleanup(libc.mount, b"none", place, None, 4096 | remount, None)
        self.assertRegex(self.doctor([]), r"governor +denied")
        self.assertIn("governor: denied", self.measured([]))

    def test_seccomp_errors(self):
        refused = strace("-f", "--seccomp-bpf", "-e", "trace=sched_setaffinity,set_mempolicy,setpriority,personality", "-e",
                         "inject=sched_setaffinity,set_mempolicy,setpriority,personality:error=EPERM")
        said = self.doctor(refused)
        for knob in ("affinity", "priority", "address_layout"):
            self.assertRegex(said, rf"{knob} +denied")
        self.measured(refused)

    def test_container_without_proc_entries(self):
        empty = self.machine.folder / "empty"
        empty.mkdir()
        bind(empty, "/proc/irq")
        self.assertRegex(self.doctor([]), r"interrupts +unsupported|interrupts +already")
        self.measured([])


if __name__ == "__main__":
    run_here()
