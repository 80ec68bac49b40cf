import type { License } from '#contract/licenses/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { signedAddress } from '../../pictures/service.ts';
import type { LicenseRow } from './store.ts';
import { viewLicense } from './view.ts';

/** A license with signed addresses of its photos: return it only to people who may see them. */
export async function licenseWithPhotos(app: App, row: LicenseRow): Promise<License> {
  const address = (id: string | null) => (id === null ? null : signedAddress(app, id));
  const [front, back] = await Promise.all([address(row.frontId), address(row.backId)]);
  return viewLicense(row, { front, back });
}
