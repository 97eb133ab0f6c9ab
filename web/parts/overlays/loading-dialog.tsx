import { common } from '../../texts/common.ts';
import { Skeleton } from '../page/page.tsx';
import { Dialog } from './dialog.tsx';

/**
 * Stands in for a form while that is loading. Otherwise the person might go on typing on the page below, and the form
 * would take the rest of it when it arrives.
 */
export function LoadingDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={common('loading')} wide open onClose={onClose}>
      <Skeleton lines={8} />
    </Dialog>
  );
}
