import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveAvatar, uploadImage } from '#contract/pictures/endpoints.ts';
import type { Profile } from '#contract/user/endpoints.ts';
import { report } from '../../core/api.ts';
import { useAction } from '../../core/queries.ts';
import { uploadPicture } from '../../core/upload.ts';
import { toast } from '../../ui/toasts.tsx';
import { partOf, startCrop, type Crop } from './crop.ts';
import { compress, NotUsable, openPicture, type OpenPicture } from '../../core/prepare-picture.ts';
import { convertByServer } from './convert-by-server.ts';

const sideSent = 1024;
const quality = 0.88;

/** A photo that was chosen and is being cut to a square. */
export interface ChosenPicture {
  picture: OpenPicture;
  address: string;
  crop: Crop;
}

/** A photo from the moment it is chosen until it has been sent as my picture; and taking my picture away. */
export function useAvatar(onSaved: (profile: Profile) => void) {
  const { t } = useTranslation('reasons');
  const [chosen, setChosen] = useState<ChosenPicture | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const save = useAction(saveAvatar, {
    invalidates: ['/user/', '/contact/', '/order/'],
    onDone: (saved) => {
      setChosen(null);
      onSaved(saved);
    },
  });

  const address = chosen?.address;
  useEffect(() => {
    if (address === undefined) return undefined;
    return () => URL.revokeObjectURL(address);
  }, [address]);

  const onCrop = useCallback((change: (crop: Crop) => Crop) => {
    setChosen((now) => (now === null ? null : { ...now, crop: change(now.crop) }));
  }, []);

  const choose = async ([file, second]: File[]) => {
    if (second !== undefined || file === undefined) {
      toast.error(t('upload.tooMany'));
      return;
    }
    try {
      const opened = await openPicture(file);
      const { picture, blob } =
        opened === null ? await convertByServer(file, setShare) : { picture: opened, blob: file };
      setChosen({
        picture,
        address: URL.createObjectURL(blob),
        crop: startCrop(picture.width, picture.height),
      });
    } catch (error) {
      if (error instanceof NotUsable) toast.error(error.message);
      else report(uploadImage, error, {});
    } finally {
      setShare(null);
    }
  };

  const send = async ({ picture, crop }: ChosenPicture) => {
    setShare(0);
    try {
      const blob = await compress(picture, { longestSide: sideSent, quality, part: partOf(crop) });
      const { id } = await uploadPicture('avatar', blob, setShare);
      await save.ask({ picture: id });
    } catch (error) {
      if (error instanceof NotUsable) toast.error(error.message);
      else report(uploadImage, error, {});
    } finally {
      setShare(null);
    }
  };

  return {
    chosen,
    /** How much of it has been sent; null while nothing is. */
    share,
    busy: share !== null || save.busy,
    saving: save.busy,
    onCrop,
    choose,
    send,
    remove: () => save.run({ picture: null }),
  };
}
