import type { License } from '#contract/licenses/endpoints.ts';
import type { LicenseRow } from './store.ts';

interface PhotoAddresses {
  front: string | null;
  back: string | null;
}

export const viewLicense = (row: LicenseRow, { front, back }: PhotoAddresses): License => ({
  id: row.id,
  status: row.status,
  result: row.result,
  sentAt: row.createdAt.toISOString(),
  decidedAt: row.decidedAt?.toISOString() ?? null,
  front,
  back,
});
