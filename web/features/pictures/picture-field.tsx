import { ImagePlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { uploadImage, type PicturePurpose } from '#contract/pictures/endpoints.ts';
import { report } from '../../core/api.ts';
import { uploadPicture } from '../../core/upload.ts';
import { TextButton } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts.tsx';
import { ChooseFile } from './choose-file.tsx';
import { NotUsable, preparePicture } from '../../core/prepare-picture.ts';
import { Progress } from './progress.tsx';

const sideSent = 1600;
const quality = 0.85;

/** One picture of a thing: shown, chosen and sent at once, or taken away. */
export function PictureField({
  purpose,
  address,
  words,
  onPicture,
}: {
  purpose: PicturePurpose;
  /** Where the picture is that is shown now; empty for none. */
  address: string;
  words: { choose: string; other: string; remove: string; sending: string };
  onPicture: (picture: { id: string; url: string } | null) => void;
}) {
  const { t } = useTranslation('reasons');
  const [share, setShare] = useState<number | null>(null);
  const choose = async ([file, second]: File[]) => {
    if (second !== undefined || file === undefined) {
      toast.error(t('upload.tooMany'));
      return;
    }
    setShare(0);
    try {
      const { blob } = await preparePicture(file, { longestSide: sideSent, quality });
      const { id, url } = await uploadPicture(purpose, blob, setShare);
      onPicture({ id, url });
    } catch (error) {
      if (error instanceof NotUsable) toast.error(error.message);
      else report(uploadImage, error, {});
    } finally {
      setShare(null);
    }
  };
  return (
    <div className="flex flex-col gap-3">
      {address !== '' && (
        <img src={address} alt="" className="aspect-[2/1] w-full rounded-control bg-line object-cover" />
      )}
      {share !== null && <Progress label={words.sending} share={share} />}
      <div className="flex flex-wrap items-center gap-2">
        <ChooseFile
          label={address === '' ? words.choose : words.other}
          tone="quiet"
          disabled={share !== null}
          icon={<ImagePlus aria-hidden className="size-5" />}
          onFiles={(files) => void choose(files)}
        />
        {address !== '' && (
          <TextButton tone="danger" onClick={() => onPicture(null)}>
            {words.remove}
          </TextButton>
        )}
      </div>
    </div>
  );
}
