import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, DoorOpen } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../parts/button.tsx';
import { TextField } from '../../../../parts/field.tsx';
import { Card, EmptyState, Page } from '../../../../parts/page.tsx';
import { account as texts } from '../../../../texts/account.ts';
import { common } from '../../../../texts/common.ts';
import { shell } from '../../../../texts/shell.ts';
import { auth } from '../../api/client.ts';
import { useAction } from '../../api/use-action.ts';
import { sessionQuery, useSession, useSignedIn, useSignOut } from '../../session.ts';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { TwoFactor } from './two-factor.tsx';

export function AccountPage() {
  const signOut = useSignOut();
  const session = useSignedIn();
  if (!session) return <PageSkeleton />;
  return (
    <main>
      <div className="mx-auto max-w-4xl px-4 pt-5 sm:px-8">
        <Link to="/" className="inline-flex items-center gap-1.5 text-muted hover:text-ink">
          <ArrowLeft className="size-4" aria-hidden />
          {texts.back}
        </Link>
      </div>
      <Page title={texts.title} intro={session.email}>
        <NameForm />
        <PasswordForm />
        <TwoFactor />
        <Card title={texts.sessionsTitle} intro={texts.sessionsText}>
          <Button onClick={() => signOut(true)}>{texts.signOutEverywhere}</Button>
        </Card>
      </Page>
    </main>
  );
}

/** The start page of a person who belongs to no tenant. */
export function NoTenant() {
  const signOut = useSignOut();
  return (
    <main className="grid min-h-dvh place-items-center">
      <EmptyState
        icon={DoorOpen}
        title={shell.noTenantTitle}
        action={<Button onClick={() => signOut()}>{shell.signOut}</Button>}
      >
        {shell.noTenantText}
      </EmptyState>
    </main>
  );
}

function NameForm() {
  const session = useSession();
  const [name, setName] = useState(session.name);
  const save = useAction(() => auth.post('/update-user', { body: { name: name.trim() } }), {
    done: texts.nameSaved,
    refresh: [sessionQuery.queryKey],
  });
  return (
    <Card title={texts.name}>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <div className="grow sm:max-w-sm">
          <TextField
            label={texts.name}
            errors={save.errors.name}
            value={name}
            autoComplete="name"
            maxLength={100}
            required
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <Button type="submit" busy={save.busy} disabled={name.trim() === session.name}>
          {common.save}
        </Button>
      </form>
    </Card>
  );
}

function PasswordForm() {
  const queries = useQueryClient();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const save = useAction(
    () =>
      auth.post('/change-password', {
        body: { currentPassword: current, newPassword: next, revokeOtherSessions: true },
      }),
    {
      done: texts.passwordChanged,
      onDone: () => {
        setCurrent('');
        setNext('');
        void queries.invalidateQueries(sessionQuery);
      },
    },
  );
  return (
    <Card title={texts.passwordTitle}>
      <form
        className="grid gap-4 sm:max-w-sm"
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <TextField
          label={texts.currentPassword}
          errors={save.errors.currentPassword}
          type="password"
          autoComplete="current-password"
          required
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <TextField
          label={texts.newPassword}
          hint={texts.passwordHint}
          errors={save.errors.newPassword}
          type="password"
          autoComplete="new-password"
          minLength={10}
          required
          value={next}
          onChange={(event) => setNext(event.target.value)}
        />
        <div>
          <Button type="submit" busy={save.busy}>
            {texts.changePassword}
          </Button>
        </div>
      </form>
    </Card>
  );
}
