// Runs before anything is installed, on any Node from 20 on: no dependencies, no types.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');
const at = (...parts) => path.join(root, ...parts);

export const say = (sentence) => process.stdout.write(`${sentence}\n`);

/** A step failed in a way its own output has explained; the process ends with this code. */
export class StepFailed extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * Installs the packages of package-lock.json unless they are there.
 * @param tools false leaves out what only tests, checks and benchmarks need.
 */
export async function install({ tools = true } = {}) {
  const lock = hashOf([at('package-lock.json')]);
  const stamp = at('node_modules', '.sameway-installed');
  const [whole, bare] = [`${lock} with tools`, lock];
  const found = readIfThere(stamp);
  if (found === whole || (!tools && found === bare)) return;
  const hasTools = matchesLock({ tools: true });
  if (!hasTools && (tools || !matchesLock({ tools: false }))) {
    say('Installing packages (about a minute the first time) …');
    const npm = process.env.npm_execpath;
    const kinds = tools ? '--include=dev' : '--omit=dev';
    const words = ['ci', '--no-audit', '--no-fund', kinds, '--loglevel=error'];
    const [command, args] = npm?.endsWith('.js') ? [process.execPath, [npm, ...words]] : ['npm', words];
    await run(command, args, { what: 'Installing packages', shell: command === 'npm' && isWindows });
  }
  writeStamp(stamp, tools || hasTools ? whole : bare);
}

/**
 * Lets the next start skip finished work; a folder that was installed for good and may not be written does
 * without.
 */
function writeStamp(file, content) {
  try {
    fs.writeFileSync(file, content);
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
  }
}

/** Whether npm's own record of what it installed agrees with package-lock.json. */
function matchesLock({ tools }) {
  const record = readIfThere(at('node_modules', '.package-lock.json'));
  if (record === null) return false;
  const installed = JSON.parse(record).packages;
  const wanted = JSON.parse(fs.readFileSync(at('package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(
    ([name, { version, dev, optional, devOptional }]) =>
      name === '' ||
      (dev && !tools) ||
      installed[name]?.version === version ||
      ((optional || devOptional) && !installed[name]),
  );
}

const isWindows = process.platform === 'win32';

/** The Node that runs the server: the project's own, else this one if it can run TypeScript. */
export function projectNode() {
  const platform = isWindows ? 'win' : process.platform;
  const own = at('node_modules', `node-${platform}-${process.arch}`, 'bin', isWindows ? 'node.exe' : 'node');
  if (fs.existsSync(own)) {
    try {
      fs.accessSync(own, fs.constants.X_OK);
    } catch {
      fs.chmodSync(own, 0o755);
    }
    return own;
  }
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  throw new StepFailed(
    `Sameway needs Node 22.18 or newer on ${platform}-${process.arch}, and npm has none for it; this is ${process.versions.node}. Install one from https://nodejs.org, then npm start again.`,
  );
}

/** Builds the web app into dist/web unless it was built from these very files. */
export async function buildWebApp() {
  const hash = hashOf([
    ...filesIn(at('web')),
    ...filesIn(at('contract')),
    ...filesIn(at('locales')),
    ...filesIn(at('scripts', 'web-build')),
    at('vite.config.ts'),
    at('package-lock.json'),
  ]);
  const stamp = at('dist', 'web-built-from');
  if (readIfThere(stamp) === hash && fs.existsSync(at('dist', 'web', 'index.html'))) return;
  say('Building the web app …');
  try {
    fs.rmSync(stamp, { force: true });
  } catch (error) {
    throw new StepFailed(`Building the web app failed.${folderTrouble() ?? ` ${error.message}`}`);
  }
  keepFormerFiles();
  const vite = at('node_modules', 'vite', 'bin', 'vite.js');
  await run(projectNode(), [vite, 'build', '--logLevel', 'warn'], { what: 'Building the web app' });
  fs.writeFileSync(stamp, hash);
}

/** A page can stay open as long as this after the server was updated, and still open its other pages. */
const formerFilesDays = 30;

/** Sets the last build's files aside, where the server finds them for pages that are still open. */
function keepFormerFiles() {
  const [last, former] = [at('dist', 'web', 'assets'), at('dist', 'former', 'assets')];
  fs.mkdirSync(former, { recursive: true });
  for (const name of fs.existsSync(last) ? fs.readdirSync(last) : [])
    fs.copyFileSync(path.join(last, name), path.join(former, name));
  const tooOld = Date.now() - formerFilesDays * 24 * 3_600_000;
  for (const name of fs.readdirSync(former)) {
    const file = path.join(former, name);
    if (fs.statSync(file).mtimeMs < tooOld) fs.rmSync(file);
  }
}

/**
 * Runs a step to its end, telling every ten seconds that it is still under way.
 * @throws StepFailed when it fails.
 */
async function run(command, args, { what, shell = false }) {
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1000);
  const ticking = setInterval(() => say(`  … ${seconds()} s`), 10_000);
  try {
    const { code, signal } = await ended(spawn(command, args, { cwd: root, stdio: 'inherit', shell }));
    if (signal !== null) throw new StepFailed(`${what} was interrupted.`, 130);
    if (code !== 0) throw new StepFailed(`${what} failed (exit code ${code}).${folderTrouble() ?? ''}`);
  } finally {
    clearInterval(ticking);
  }
  say(`  done in ${seconds()} s`);
}

/** Why nothing can be installed or built here, with the remedy; null where the folder is not the reason. */
function folderTrouble() {
  try {
    fs.accessSync(root, fs.constants.W_OK);
  } catch (error) {
    const why = error.code === 'EROFS' ? 'its file system is read-only' : 'this user may not write there';
    return ` ${root} cannot be written: ${why}. Make it writable, or copy the project to a folder that is.`;
  }
  const { bavail, bsize } = fs.statfsSync(root);
  const freeMb = Math.floor((bavail * bsize) / 1024 / 1024);
  return freeMb < 600
    ? ` The disk that holds ${root} is nearly full (${freeMb} MB free): free 2 GB there.`
    : null;
}

/**
 * Calls back when npm, which started this process through a shell, is gone: npm passes signals on to its
 * shell, but the shell ends without passing signals on, and neither learns of a kill.
 */
export function onNpmGone(callback) {
  if (process.env.npm_lifecycle_event === undefined || isWindows) return;
  const shell = process.ppid;
  const npm = parentOf(shell);
  const watch = setInterval(() => {
    if (process.ppid === shell && parentOf(shell) === npm) return;
    clearInterval(watch);
    callback();
  }, 500);
  watch.unref();
}

function parentOf(pid) {
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat === null ? null : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** The end of a child process: its exit code, or the signal that ended it. */
export function ended(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

function readIfThere(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function filesIn(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .toSorted();
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = fs.readFileSync(file);
    hash.update(`${path.relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}
