import type { Application, Contact } from '#contract/contacts/endpoints.ts';
import type { Person } from '#contract/user/endpoints.ts';
import type { ApplicationRow, ContactRow } from './store.ts';

export const viewContact = (row: ContactRow, person: Person): Contact => ({
  person,
  remark: row.remark,
  tagIds: row.tagIds,
  origin: row.origin,
});

export const otherSide = (row: ApplicationRow, viewerId: string): string =>
  row.fromId === viewerId ? row.toId : row.fromId;

/** @param person the other side. */
export const viewApplication = (row: ApplicationRow, viewerId: string, person: Person): Application => ({
  id: row.id,
  person,
  direction: row.fromId === viewerId ? 'out' : 'in',
  message: row.message,
  origin: row.origin,
  status: row.status,
  at: row.createdAt.toISOString(),
});
