import { Image as ImageIcon, ScanLine } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { scanCode } from '#contract/contacts/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { errorWords } from '../../base/errors.ts';
import { useAction } from '../../base/queries.ts';
import { Button, buttonLook } from '../../ui/button.tsx';
import { Banner } from '../../ui/surfaces.tsx';
import { readPicture } from '../../base/read-picture.ts';
import { ScanDone } from './scan-done.tsx';
import { useCamera } from '../../base/use-camera.ts';

/** Scans somebody's code with the camera, or from a picture. */
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
  const isShown = camera === 'starting' || camera === 'watching';
  return (
    <>
      <div
        className={
          isShown
            ? 'relative mx-auto aspect-square w-full max-w-sm overflow-hidden rounded-control bg-ink'
            : 'hidden'
        }
      >
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a live camera has nothing to caption */}
        <video
          ref={video}
          muted
          playsInline
          aria-label={t('scan.camera')}
          className="size-full object-cover"
        />
        <span
          aria-hidden
          className="pointer-events-none absolute inset-[16%] rounded-control ring-3 ring-white/90"
        />
      </div>
      {isShown ? (
        <output className="flex items-center justify-center gap-2 text-body text-ink-2">
          <ScanLine aria-hidden className="size-5" />
          {t(camera === 'starting' ? 'scan.starting' : 'scan.hint')}
        </output>
      ) : (
        <Banner kind="warn">{t(`scan.${camera}`)}</Banner>
      )}
      {trouble !== '' && <Banner kind="danger">{trouble}</Banner>}
      <label
        className={`${buttonLook({ tone: 'quiet', full: true })} cursor-pointer has-focus-visible:outline-3 has-focus-visible:outline-brand-ink`}
      >
        <ImageIcon aria-hidden className="size-5" />
        {t(reading ? 'book.reading' : 'scan.picture')}
        <input
          type="file"
          accept="image/*"
          className="sr-only"
          onChange={(event) => {
            void onPicture(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </label>
    </>
  );
}
