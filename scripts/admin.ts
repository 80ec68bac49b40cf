/** `npm run admin -- COMMAND …`: what an operator does on the database of this installation. */
import { runAdmin } from './admin/commands.ts';

process.exitCode = await runAdmin(process.argv.slice(2));
