// Loaded before a script that `run.mjs` starts: where that process is gone, whatever ended it, this one ends
// too. A process that the script starts inherits the flag that loads this file, and must not let go of its
// own channel: a test runner's worker waits for work on it.
if (process.env['ENDS_WITH'] === String(process.ppid)) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}
