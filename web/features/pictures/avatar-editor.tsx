import { Camera } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Profile } from '#contract/user/endpoints.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Avatar } from '../../ui/people.tsx';
import { Card } from '../../ui/surfaces.tsx';
import { ChooseFile } from './choose-file.tsx';
import { Cropper } from './cropper.tsx';
import { Progress } from './progress.tsx';
import { useAvatar, type ChosenPicture } from './use-avatar.ts';

/** My picture: chosen, cut, sent, shown; or taken away. */
export function AvatarEditor({
  profile,
  onSaved,
}: {
  profile: Profile;
  onSaved: (profile: Profile) => void;
}) {
  const { t } = useTranslation(['people', 'common']);
  const [removing, setRemoving] = useState(false);
  const avatar = useAvatar((saved) => {
    setRemoving(false);
    onSaved(saved);
  });
  if (avatar.chosen !== null) return <ChosenPhoto chosen={avatar.chosen} avatar={avatar} />;
  const { id, name, avatar: address } = profile;
  return (
    <>
      <Card className="flex flex-col items-center gap-4 py-8 text-center">
        <Avatar name={name} src={address} seed={id} size={160} label={t('people:avatar.current')} />
        <h2 className="text-heading break-words">{name}</h2>
        <p className="max-w-xs text-body text-ink-2">
          {t(address === '' ? 'people:avatar.initials' : 'people:avatar.hasPhoto')}
        </p>
      </Card>
      {avatar.share !== null && <Progress label={t('people:avatar.opening')} share={avatar.share} />}
      <div className="flex flex-col items-stretch gap-2">
        <ChooseFile
          label={t(address === '' ? 'people:avatar.choose' : 'people:avatar.other')}
          icon={<Camera aria-hidden className="size-5" />}
          full
          disabled={avatar.busy}
          onFiles={(files) => void avatar.choose(files)}
        />
        {address !== '' && (
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
        busy={avatar.saving}
        onConfirm={avatar.remove}
      />
    </>
  );
}

/** The photo that was chosen, to be cut and sent, or changed for another. */
function ChosenPhoto({
  chosen,
  avatar: { share, busy, onCrop, choose, send },
}: {
  chosen: ChosenPicture;
  avatar: ReturnType<typeof useAvatar>;
}) {
  const { t } = useTranslation('people');
  return (
    <>
      <Card className="flex flex-col gap-4">
        <Cropper address={chosen.address} crop={chosen.crop} onCrop={onCrop} />
        {share !== null && <Progress label={t('avatar.sending')} share={share} />}
      </Card>
      <div className="flex flex-col gap-2">
        <Button full busy={busy} onClick={() => void send(chosen)}>
          {t('avatar.save')}
        </Button>
        <ChooseFile
          label={t('avatar.other')}
          tone="quiet"
          full
          disabled={busy}
          onFiles={(files) => void choose(files)}
        />
      </div>
    </>
  );
}
