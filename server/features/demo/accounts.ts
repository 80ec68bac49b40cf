/** The password of the accounts that a visitor of the demo may sign in with. */
export const demoPassword = 'sameway-demo';

/** One account for each role, created by the seed and offered on the demo's sign-in page. */
export const demoAccounts = [
  { role: 'driver', name: 'Mia Torres', email: 'driver@demo.sameway.example' },
  { role: 'passenger', name: 'Leo Chen', email: 'passenger@demo.sameway.example' },
  { role: 'admin', name: 'Ada Okafor', email: 'admin@demo.sameway.example' },
] as const;
