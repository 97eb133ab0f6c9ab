import { FileUp, ImageIcon, MapPin, Paperclip, ShoppingBag, UserRound } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';
import { IconButton } from '../../../parts/buttons/button.tsx';
import { menuItem, menuPanel } from '../../../parts/overlays/menu-look.ts';
import { phone as t } from '../../../texts/phone.ts';
import type { NewMessage } from '../network.ts';
import { sampleContact, sampleLocation, sampleOrder, samplePhoto } from './samples.ts';

/** Sends a file of the tester, or a sample. */
export function AttachMenu({
  phone,
  owner,
  onFile,
  onMessage,
}: {
  phone: string;
  owner: string;
  onFile: (file: File) => void;
  onMessage: (message: NewMessage) => void;
}) {
  const picker = useRef<HTMLInputElement>(null);
  const items = [
    { icon: FileUp, words: t('file'), act: () => picker.current?.click() },
    {
      icon: ImageIcon,
      words: t('samplePhoto'),
      act: () => void samplePhoto().then(onFile),
    },
    { icon: MapPin, words: t('sampleLocation'), act: () => onMessage(sampleLocation) },
    {
      icon: UserRound,
      words: t('sampleContact'),
      act: () => onMessage(sampleContact(phone, owner)),
    },
    { icon: ShoppingBag, words: t('sampleOrder'), act: () => onMessage(sampleOrder) },
  ];
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger asChild>
          <IconButton label={t('attach')} className="rounded-full">
            <Paperclip className="size-5" aria-hidden />
          </IconButton>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            aria-label={t('attachMenu')}
            side="top"
            align="start"
            sideOffset={6}
            collisionPadding={8}
            className={menuPanel}
          >
            {items.map(({ icon: Icon, words, act }) => (
              <DropdownMenu.Item key={words} className={menuItem} onSelect={act}>
                <Icon className="size-5 text-muted" aria-hidden />
                {words}
              </DropdownMenu.Item>
            ))}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <input
        ref={picker}
        type="file"
        tabIndex={-1}
        aria-label={t('fileToSend')}
        className="sr-only"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onFile(file);
          target.value = '';
        }}
      />
    </>
  );
}
