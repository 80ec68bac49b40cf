import { spawnSync } from 'node:child_process';
import os from 'node:os';

/**
 * Leaves the processors to the browsers that are open already: this process and all that it starts from now
 * on work only where a processor is free. Linux places a thread that wakes up on a processor with nothing but
 * such idle work as if that were free; with a low priority alone it may queue behind another thread of the
 * browser instead.
 * @returns how: `idle`, or `low priority` where the machine has no `chrt` (Debian: util-linux)
 */
export function leaveProcessorsToBrowsers(): 'idle' | 'low priority' {
  os.setPriority(os.constants.priority.PRIORITY_LOW);
  const { status } = spawnSync('chrt', ['--idle', '--all-tasks', '--pid', '0', String(process.pid)], {
    stdio: 'ignore',
  });
  return status === 0 ? 'idle' : 'low priority';
}
