export { demoAccounts, demoPassword } from './accounts.ts';
export { showsOutbox } from './policy.ts';
export { readClockOffset } from './store.ts';
