import type { App } from '../../../app-type.ts';
import type { License } from '#contract/licenses/endpoints.ts';
import type { PicturesService } from '../../pictures/service.ts';
import type { LicenseRow } from './store.ts';
import { viewLicense } from './view.ts';

/** What the commands about driver licenses use. */
export interface LicenseContext {
  platform: App;
  pictures: PicturesService;
}

/** A license with signed addresses of its photos: return it only to people who may see them. */
export async function licenseWithPhotos({ pictures }: LicenseContext, row: LicenseRow): Promise<License> {
  const address = (id: string | null) => (id === null ? null : pictures.sealedAddress(id));
  const [front, back] = await Promise.all([address(row.frontId), address(row.backId)]);
  return viewLicense(row, { front, back });
}
