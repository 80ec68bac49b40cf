// Loaded before a script that `run.mjs` starts: where that process is gone, whatever ended it, this one ends
// too.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
