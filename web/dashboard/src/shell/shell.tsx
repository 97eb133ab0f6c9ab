import { Outlet, useLocation, useParams } from '@tanstack/react-router';
import { Menu, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { Fragment, useEffect, useRef, useState } from 'react';
import { loadWhenIdle } from '../../../parts/behaviour/load-when-idle.ts';
import { IconButton } from '../../../parts/buttons/button.tsx';
import { common } from '../../../texts/common.ts';
import { shell } from '../../../texts/shell.ts';
import { LiveProvider } from '../features/messages/conversations/live/use-live.tsx';
import { useSignedIn } from '../session.ts';
import { CommandCenter, PaletteButton } from './commands/command-center.tsx';
import { PageSkeleton } from './loading/page-skeleton.tsx';
import { MainContent } from './main-content.tsx';
import { PersonMenu } from './menus/person-menu.tsx';
import { TenantMenu } from './menus/tenant-menu.tsx';
import { Nav } from './nav.tsx';
import { NoMemberAnyMore, NotFound } from './not-found.tsx';
import { PageAnnouncement } from './page-announcement.tsx';
import { UnreadCount, UnreadMark } from './unread-count.tsx';
import { useRegion } from './use-region.ts';

const useBack = loadWhenIdle(() => import('./close-by-back.tsx'));

/** The navigation around every page of a tenant: a column on wide screens, a drawer on narrow ones. */
export function Shell() {
  const { tenant } = useParams({ from: '/t/$tenant' });
  const session = useSignedIn();
  const [drawerOpen, setDrawerOpen] = useState(false);
  const address = useLocation({ select: ({ href }) => href });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page, such as by a shortcut
  useEffect(() => setDrawerOpen(false), [address]);
  const back = useBack();
  const found = session?.tenants.find((each) => each.slug === tenant);
  useRegion(found);
  const seen = useRef<{ slug: string; name: string }>(undefined);
  if (!session) return <PageSkeleton />;
  if (!found) {
    const last = seen.current;
    return last?.slug === tenant ? <NoMemberAnyMore tenant={last.name} /> : <NotFound />;
  }
  seen.current = found;

  const column = (onFollow?: () => void) => (
    <div className="flex min-h-full flex-col gap-4">
      {/* The drawer has its button to close beside it. */}
      <div className={onFollow && 'pr-10'}>
        <TenantMenu onFollow={onFollow} />
      </div>
      {!onFollow && <PaletteButton />}
      <div className="grow">
        <Nav onFollow={onFollow} />
      </div>
      <PersonMenu />
    </div>
  );
  return (
    <LiveProvider>
      <UnreadCount>
        <CommandCenter>
          <PageAnnouncement />
          {back && <back.CloseByBack />}
          <div className="lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)] print:block">
            <a
              href="#content"
              className="fixed left-3 top-3 z-50 -translate-y-24 rounded-lg bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
            >
              {shell('skipToContent')}
            </a>
            <header className="sticky top-0 hidden z-30 h-dvh overflow-y-auto border-r border-line bg-sunken/60 p-3 lg:block print:hidden">
              {column()}
            </header>
            {/* Above the keyboard of a phone there is room for an open conversation only, which has a button to go back. */}
            <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-b border-line bg-page/95 px-2 backdrop-blur lg:hidden print:hidden [@media(max-height:30rem)]:in-[body:has([role=log])]:hidden">
              <Dialog.Root open={drawerOpen} onOpenChange={setDrawerOpen}>
                <Dialog.Trigger asChild>
                  <IconButton label={shell('menu')} className="relative">
                    <Menu className="size-5" aria-hidden />
                    <UnreadMark isDot />
                  </IconButton>
                </Dialog.Trigger>
                <Dialog.Portal>
                  <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
                  <Dialog.Content
                    aria-describedby={undefined}
                    className="slide-in fixed inset-y-0 left-0 z-50 w-72 overflow-y-auto border-r border-line bg-page p-3"
                  >
                    <Dialog.Title className="sr-only">{shell('menu')}</Dialog.Title>
                    <Dialog.Close asChild>
                      <IconButton label={common('close')} className="absolute right-2 top-3.5">
                        <X className="size-5" aria-hidden />
                      </IconButton>
                    </Dialog.Close>
                    {column(() => setDrawerOpen(false))}
                  </Dialog.Content>
                </Dialog.Portal>
              </Dialog.Root>
              <p dir="auto" className="min-w-0 truncate font-semibold">
                {found.name}
              </p>
              <PaletteButton isNarrow />
            </header>
            <MainContent id="content" tabIndex={-1} className="min-w-0 outline-none">
              <Fragment key={`${tenant} ${found.locale} ${found.time_zone}`}>
                <Outlet />
              </Fragment>
            </MainContent>
          </div>
        </CommandCenter>
      </UnreadCount>
    </LiveProvider>
  );
}
