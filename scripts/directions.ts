/**
 * Checks that imports go only where ARCHITECTURE.md lets them go. Part of `npm run check`; alone: npm run
 * directions. Fails when it reads no module at all, so that a moved folder cannot make it blind.
 */
import path from 'node:path';
import { readModules } from './directions/modules.ts';
import { findViolations } from './directions/rules.ts';

const walls = ['contract', 'locales', 'roads', 'stripe-sandbox', 'server', 'web', 'scripts', 'e2e', 'bench'];
const mustHoldModules = ['contract', 'locales', 'roads', 'stripe-sandbox', 'server', 'web'];

const modules = readModules(path.resolve(import.meta.dirname, '..'), walls);
const empty = mustHoldModules.filter((wall) => !modules.some(({ file }) => file.startsWith(`${wall}/`)));
const violations = findViolations(modules);
for (const { file, target, why } of violations) process.stderr.write(`${file} → ${target}\n    ${why}\n`);
if (empty.length > 0) process.stderr.write(`No module was read in ${empty.join(', ')}.\n`);
if (violations.length > 0 || empty.length > 0) process.exitCode = 1;
const circles = violations.filter(({ why }) => why.startsWith('a circle')).length;
process.stdout.write(
  `${modules.length} modules read: ${violations.length - circles} imports in the wrong direction, ${circles} circles of files or features\n`,
);
