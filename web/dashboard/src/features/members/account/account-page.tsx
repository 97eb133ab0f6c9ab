import { Link } from '@tanstack/react-router';
import { ArrowLeft, DoorOpen } from 'lucide-react';
import { Button } from '../../../../../parts/buttons/button.tsx';
import { TextField } from '../../../../../parts/fields/field.tsx';
import { Card, EmptyState, Page } from '../../../../../parts/page/page.tsx';
import { account as t } from '../../../../../texts/account.ts';
import { shell } from '../../../../../texts/shell.ts';
import { auth } from '../../../api/client.ts';
import { Faults, Form, SaveButton } from '../../../form/form.tsx';
import { useForm } from '../../../form/use-form.ts';
import { sessionQuery, useSession, useSignedIn, useSignOut } from '../../../session.ts';
import { PageSkeleton } from '../../../shell/loading/page-skeleton.tsx';
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
          {t('back')}
        </Link>
      </div>
      <Page title={t('title')} intro={session.email}>
        <NameForm />
        <PasswordForm />
        <TwoFactor />
        <Card title={t('sessionsTitle')} intro={t('sessionsText')}>
          <Button onClick={() => signOut(true)}>{t('signOutEverywhere')}</Button>
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
        title={t('noTenantTitle')}
        action={<Button onClick={() => signOut()}>{shell('signOut')}</Button>}
      >
        {t('noTenantText')}
      </EmptyState>
    </main>
  );
}

function NameForm() {
  const session = useSession();
  const form = useForm({
    values: { name: session.name },
    clean: ({ name }) => ({ name: name.trim() }),
    save: (_, body) => auth.post('/update-user', { body }),
    done: t('nameSaved'),
    refresh: [sessionQuery.queryKey],
  });
  return (
    <Card title={t('name')}>
      <Form form={form}>
        <Faults form={form} />
        <div className="flex flex-wrap items-end gap-3">
          <div className="grow sm:max-w-sm">
            <TextField
              {...form.text('name')}
              label={t('name')}
              autoComplete="name"
              maxLength={100}
              required
            />
          </div>
          <SaveButton form={form} />
        </div>
      </Form>
    </Card>
  );
}

function PasswordForm() {
  const form = useForm({
    values: { currentPassword: '', newPassword: '' },
    save: (_, values) =>
      auth.post('/change-password', { body: { ...values, revokeOtherSessions: true } }),
    done: t('passwordChanged'),
    refresh: [sessionQuery.queryKey],
  });
  return (
    <Card title={t('passwordTitle')}>
      <Form form={form} className="grid gap-4 sm:max-w-sm">
        <TextField
          {...form.text('currentPassword')}
          label={t('currentPassword')}
          type="password"
          autoComplete="current-password"
          required
        />
        <TextField
          {...form.text('newPassword')}
          label={t('newPassword')}
          hint={t('passwordHint')}
          type="password"
          autoComplete="new-password"
          minLength={10}
          required
        />
        <Faults form={form} />
        <div>
          <Button type="submit" busy={form.busy}>
            {t('changePassword')}
          </Button>
        </div>
      </Form>
    </Card>
  );
}
