import { databaseOf } from '../server/platform/database/db.ts';
import { readEnv } from '../server/platform/env.ts';
import { openDatabase } from '../server/platform/database/open-database.ts';
import { setAdmin } from '../server/features/identity/service.ts';

const usage = `Makes an account an admin, or no longer.
  npm run admin -- grant you@example.com
  npm run admin -- revoke you@example.com`;

const [verb, email, ...rest] = process.argv.slice(2);
if ((verb !== 'grant' && verb !== 'revoke') || email === undefined || rest.length > 0) {
  console.error(usage);
  process.exit(2);
}

const database = await openDatabase(readEnv(), { onError: (error) => console.error(error.message) });
try {
  const known = await setAdmin(databaseOf(database.pool), email, verb === 'grant', new Date());
  if (known) console.log(`${email} is ${verb === 'grant' ? 'now an admin' : 'no longer an admin'}.`);
  else console.error(`There is no account with the email ${email}. Sign up in the app first.`);
  process.exitCode = known ? 0 : 1;
} finally {
  await database.close();
}
