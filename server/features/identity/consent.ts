import { randomUUID } from 'node:crypto';
import { legalVersion, type legalDocuments } from '#contract/privacy/endpoints.ts';
import type { Db } from '../../platform/database/db.ts';
import * as store from './store.ts';

type Document = (typeof legalDocuments)[number];

const row = (userId: string, document: Document, given: boolean, at: Date) => ({
  id: randomUUID(),
  userId,
  document,
  version: legalVersion,
  given,
  at,
});

/** Records that a person who has just created an account accepts the documents named at the button. */
export const agreeToTerms = (tx: Db, userId: string, at: Date): Promise<void> =>
  store.insertConsents(tx, [row(userId, 'terms', true, at), row(userId, 'privacy', true, at)]);

/** Records that a person agrees to messages outside the app, or withdraws that. */
export const sayOptIn = (tx: Db, userId: string, given: boolean, at: Date): Promise<void> =>
  store.insertConsents(tx, [row(userId, 'optin', given, at)]);
