import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import { clearPictures } from './clear-pictures.ts';
import { signedAddress, type PictureContext } from './context.ts';
import { exportPictures, publicAddresses, readPicture } from './read-pictures.ts';
import { deletePictures } from './store.ts';
import { uploadPicture } from './upload-picture.ts';
import { saveAvatar, takePictures } from './use-pictures.ts';

export type PicturesService = ReturnType<typeof createPictures>;

/** Pictures that people upload: checked by content, redrawn, shown only to those who may see them. */
export function createPictures(platform: App) {
  const context: PictureContext = { platform };
  return {
    take: takePictures.bind(null, context),
    sealedAddress: signedAddress.bind(null, context),
    publicAddresses: publicAddresses.bind(null, context),
    upload: uploadPicture.bind(null, context),
    read: readPicture.bind(null, context),
    saveAvatar: saveAvatar.bind(null, context),
    /** Removes pictures in the caller's transaction; a scheduled task deletes their files. */
    remove: (tx: Db, ids: readonly string[]) => deletePictures(tx, { ids }),
    /** Removes all of a person's uploads, in the caller's transaction; a scheduled task deletes the files. */
    removeAllOf: (tx: Db, ownerId: string) => deletePictures(tx, { ownerId }),
    exportOf: exportPictures.bind(null, context),
    clearAway: clearPictures.bind(null, context),
  };
}
