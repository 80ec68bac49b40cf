import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./server/schema/*.ts', './stripe-sandbox/schema.ts'],
  out: './server/migrations',
});
