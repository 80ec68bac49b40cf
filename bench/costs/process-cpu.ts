import fs from 'node:fs';
import path from 'node:path';
import type { Pool } from 'pg';

/** Linux tells CPU time in hundredths of a second. */
const msPerTick = 10;

interface ProcessTimes {
  parentPid: number;
  /** Of the process and of its children that have ended. */
  cpuMs: number;
}

/**
 * CPU time that a process and all below it have used, in milliseconds, from `/proc`; children that have ended
 * are included once their parent has noticed it.
 * @throws Error where there is no `/proc` (Linux alone has it), or no such process.
 */
export function cpuMsOfTree(pid: number): number {
  const all = new Map<number, ProcessTimes>();
  for (const name of fs.readdirSync('/proc')) {
    const times = /^\d+$/.test(name) ? timesOf(Number(name)) : null;
    if (times !== null) all.set(Number(name), times);
  }
  if (!all.has(pid)) throw new Error(`There is no process ${pid}.`);
  let sum = 0;
  const pids = [pid];
  for (let parent = pids.pop(); parent !== undefined; parent = pids.pop()) {
    sum += all.get(parent)!.cpuMs;
    for (const [child, { parentPid }] of all) if (parentPid === parent) pids.push(child);
  }
  return sum;
}

/** Memory of a process that lies in RAM, in bytes. */
export function residentBytes(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1]) * 1024;
}

/** The main process of the PostgreSQL server on this machine that a pool of its owner is connected to. */
export async function postmasterPid(owner: Pool): Promise<number> {
  const { rows } = await owner.query<{ data_directory: string }>('show data_directory');
  return Number.parseInt(fs.readFileSync(path.join(rows[0]!.data_directory, 'postmaster.pid'), 'utf8'), 10);
}

/** Null for a process that has ended meanwhile. */
function timesOf(pid: number): ProcessTimes | null {
  let stat: string;
  try {
    stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The second field, the name in parentheses, may itself hold spaces and parentheses.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [utime, stime, cutime, cstime] = fields.slice(11, 15);
  return { parentPid: fields[1]!, cpuMs: (utime! + stime! + cutime! + cstime!) * msPerTick };
}
