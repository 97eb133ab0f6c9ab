import { Button } from '../../../../parts/buttons/button.tsx';
import { Progress } from '../../../../parts/page/progress.tsx';
import { files as t } from '../../../../texts/files.ts';

/** How far an upload is, with a button that stops it. */
export function UploadProgress({
  name,
  share,
  onStop,
}: {
  name: string;
  share: number | undefined;
  onStop: () => void;
}) {
  if (share === undefined) return null;
  return (
    <div className="flex items-center gap-3" aria-live="polite">
      <div className="min-w-0 grow">
        <Progress label={t('uploading', { name })} share={share} />
      </div>
      <Button small onClick={onStop}>
        {t('stop')}
      </Button>
    </div>
  );
}
