import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { scanCode } from '#contract/contacts/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { errorWords } from '../../core/errors.ts';
import { useAction } from '../../core/queries.ts';
import { readPicture } from '../../core/read-picture.ts';
import { useCamera } from '../../core/use-camera.ts';
import { Button } from '../../ui/button.tsx';
import { CameraView } from '../../ui/camera-view.tsx';
import { ScanDone } from './scan-done.tsx';

/** Scans a person's code with the camera, or from a picture. */
export function Scanner() {
  const { t } = useTranslation('contacts');
  const video = useRef<HTMLVideoElement>(null);
  const [done, setDone] = useState<OutputOf<typeof scanCode> | null>(null);
  const [trouble, setTrouble] = useState('');
  const [reading, setReading] = useState(false);
  const scan = useAction(scanCode, {
    invalidates: ['/contact/', '/order/'],
    onDone: (output) => {
      setTrouble('');
      setDone(output);
    },
    onRefused: (refused) => {
      setTrouble(refused.reason === 'input.invalid' ? t('scan.invalid') : errorWords(refused));
      return true;
    },
  });
  const ask = useRef(scan.ask);
  useEffect(() => {
    ask.current = scan.ask;
  });
  const onText = useCallback((text: string) => void ask.current({ code: text.slice(0, 2000) }), []);
  const camera = useCamera(video, done === null, onText);

  const onPicture = async (file: File | undefined) => {
    if (file === undefined) return;
    setReading(true);
    const text = await readPicture(file);
    setReading(false);
    if (text === null) setTrouble(t('scan.invalid'));
    else onText(text);
  };

  if (done !== null) {
    return (
      <ScanDone
        result={done}
        again={
          <Button full tone="quiet" onClick={() => setDone(null)}>
            {t('scan.again')}
          </Button>
        }
      />
    );
  }
  const isRunning = camera === 'starting' || camera === 'watching';
  return (
    <CameraView
      video={video}
      label={t('scan.camera')}
      hint={t(camera === 'starting' ? 'scan.starting' : 'scan.hint')}
      missing={isRunning ? null : t(`scan.${camera}`)}
      trouble={trouble}
      pictureLabel={t(reading ? 'book.reading' : 'scan.picture')}
      onPicture={(file) => void onPicture(file)}
    />
  );
}
