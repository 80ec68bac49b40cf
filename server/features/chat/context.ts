import type { Platform } from '../../platform/platform.ts';
import type { GeoService } from '../geo/service.ts';
import type { IdentityService } from '../identity/service.ts';
import type { PicturesService } from '../pictures/service.ts';

/** What the commands of this feature use. */
export interface ChatContext {
  platform: Platform;
  identity: IdentityService;
  pictures: PicturesService;
  geo: Pick<GeoService, 'approximate'>;
}
