import type { Licence } from '#contract/licences/endpoints.ts';
import type { LicenceRow } from './store.ts';

interface PhotoAddresses {
  front: string | null;
  back: string | null;
}

export const viewLicense = (row: LicenceRow, { front, back }: PhotoAddresses): Licence => ({
  id: row.id,
  status: row.status,
  result: row.result,
  sentAt: row.createdAt.toISOString(),
  decidedAt: row.decidedAt?.toISOString() ?? null,
  front,
  back,
});
