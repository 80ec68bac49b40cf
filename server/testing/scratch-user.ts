// Works in a throw-away folder with a PostgreSQL in it until it is killed; says where and which, as JSON.
import fs from 'node:fs';
import path from 'node:path';
import { placeDatabase, scratchFolder } from '../platform/database/database-folder.ts';
import { startEmbeddedPostgres } from '../platform/database/embedded-postgres.ts';

const folder = scratchFolder('sameway-killed-');
await startEmbeddedPostgres(placeDatabase(folder), { fsync: 'off' });
const pidFile = path.join(folder, 'postgres', 'data', 'postmaster.pid');
const pid = Number(fs.readFileSync(pidFile, 'utf8').split('\n')[0]);
process.stdout.write(`${JSON.stringify({ folder, pid })}\n`);
setInterval(() => undefined, 60_000);
