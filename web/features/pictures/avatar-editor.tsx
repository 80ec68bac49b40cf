import { Camera } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveAvatar, uploadImage } from '#contract/pictures/endpoints.ts';
import type { Profile } from '#contract/user/endpoints.ts';
import { report } from '../../core/api.ts';
import { useAction } from '../../core/queries.ts';
import { uploadPicture } from '../../core/upload.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Avatar } from '../../ui/people.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';
import { ChooseFile } from './choose-file.tsx';
import { partOf, startCrop, type Crop } from './crop.ts';
import { Cropper } from './cropper.tsx';
import { compress, NotUsable, openPicture, type OpenPicture } from './prepare.ts';
import { Progress } from './progress.tsx';

const sideSent = 1024;
const quality = 0.88;

/** A photo that was chosen and is being cut to a square. */
interface Chosen {
  picture: OpenPicture;
  address: string;
  crop: Crop;
}

/** My picture: chosen, cut, sent, shown; or taken away. */
export function AvatarEditor({
  profile,
  onSaved,
}: {
  profile: Profile;
  onSaved: (profile: Profile) => void;
}) {
  const { t } = useTranslation(['people', 'common', 'reasons']);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const [removing, setRemoving] = useState(false);
  const save = useAction(saveAvatar, {
    invalidates: ['/user/', '/contact/', '/order/'],
    onDone: (saved) => {
      setRemoving(false);
      setChosen(null);
      onSaved(saved);
    },
  });
  const busy = share !== null || save.busy;

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
      toast.error(t('reasons:upload.tooMany'));
      return;
    }
    try {
      const picture = await openPicture(file);
      setChosen({
        picture,
        address: URL.createObjectURL(file),
        crop: startCrop(picture.width, picture.height),
      });
    } catch (error) {
      if (!(error instanceof NotUsable)) throw error;
      toast.error(error.message);
    }
  };

  const send = async ({ picture, crop }: Chosen) => {
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

  if (chosen !== null) {
    return (
      <>
        <Card className="flex flex-col gap-4">
          <Cropper address={chosen.address} crop={chosen.crop} onCrop={onCrop} />
          {share !== null && (
            <Progress
              label={t('people:avatar.sending')}
              share={share}
              text={t('people:license.progress', { percent: Math.round(share * 100) })}
            />
          )}
        </Card>
        <div className="flex flex-col gap-2">
          <Button full busy={busy} onClick={() => void send(chosen)}>
            {t('people:avatar.save')}
          </Button>
          <ChooseFile
            label={t('people:avatar.other')}
            tone="quiet"
            full
            disabled={busy}
            onFiles={(files) => void choose(files)}
          />
        </div>
      </>
    );
  }
  const { id, name, avatar } = profile;
  return (
    <>
      <Card className="flex flex-col items-center gap-4 py-8 text-center">
        <Avatar name={name} src={avatar} seed={id} size={160} label={t('people:avatar.current')} />
        <h2 className="text-heading break-words">{name}</h2>
        <p className="max-w-xs text-body text-ink-2">
          {t(avatar === '' ? 'people:avatar.initials' : 'people:avatar.hasPhoto')}
        </p>
      </Card>
      <div className="flex flex-col items-stretch gap-2">
        <ChooseFile
          label={t(avatar === '' ? 'people:avatar.choose' : 'people:avatar.other')}
          icon={<Camera aria-hidden className="size-5" />}
          full
          onFiles={(files) => void choose(files)}
        />
        {avatar !== '' && (
          <TextButton tone="danger" className="self-center" onClick={() => setRemoving(true)}>
            {t('people:avatar.remove')}
          </TextButton>
        )}
      </div>
      <Confirm
        open={removing}
        onOpenChange={setRemoving}
        title={t('people:avatar.removeTitle')}
        text={t('people:avatar.removeText')}
        confirmLabel={t('people:avatar.remove')}
        cancelLabel={t('common:cancel')}
        busy={save.busy}
        onConfirm={() => save.run({ picture: null })}
      />
    </>
  );
}
