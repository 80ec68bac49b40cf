import type { ApiKey } from '#contract/connect/keys.ts';
import { isScope } from '#contract/connect/scopes.ts';
import type { Person } from '#contract/user/endpoints.ts';
import { keyStateOf } from './rules/key-state.ts';
import type { KeyRow } from './store.ts';

export const viewKey = (row: KeyRow, person: Person, now: Date): ApiKey => ({
  id: row.id,
  name: row.name,
  shown: row.shown,
  scopes: row.scopes.filter(isScope),
  callsPerMinute: row.callsPerMinute,
  person,
  state: keyStateOf(row, now),
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  usedAt: row.usedAt?.toISOString() ?? null,
  network: row.network,
  revokedAt: row.revokedAt?.toISOString() ?? null,
});
