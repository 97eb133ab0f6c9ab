import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { Problem } from '../../../../../parts/behaviour/problem.ts';
import { Button, buttonLook } from '../../../../../parts/buttons/button.tsx';
import { CheckField, TextField } from '../../../../../parts/fields/field.tsx';
import { Notice, Skeleton } from '../../../../../parts/page/page.tsx';
import { signIn, welcome as t } from '../../../../../texts/sign-in.ts';
import { auth } from '../../../api/client.ts';
import type { InvitationData } from '../../../api/records.ts';
import { Faults, Form } from '../../../form/form.tsx';
import { useForm } from '../../../form/use-form.ts';
import { Door } from './door.tsx';
import { SecondStep } from './second-step.tsx';

/** The page of an invitation link, whose secret is after the `#`, which browsers send to no server. */
export function WelcomePage() {
  // Opening another link in the same tab changes only the hash.
  const secret = useLocation({ select: ({ hash }) => hash });
  const invitation = useQuery({
    ...auth.askedByPost('/invitation', { body: { secret } }),
    enabled: secret !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });

  if (secret === '' || invitation.error) {
    const words = invitation.error instanceof Problem ? invitation.error.message : t('noSecret');
    return <ToSignIn why={words} />;
  }
  if (!invitation.data) {
    return (
      <Door title={t('loading')}>
        <Skeleton />
      </Door>
    );
  }
  return <AcceptForm key={secret} secret={secret} invitation={invitation.data} />;
}

function ToSignIn({ why }: { why: string }) {
  return (
    <Door title={signIn('title')}>
      <div className="grid gap-4">
        <Notice tone="warn">{why}</Notice>
        <Link to="/sign-in" className={buttonLook('primary')}>
          {t('toSignIn')}
        </Link>
      </div>
    </Door>
  );
}

function AcceptForm({ secret, invitation }: { secret: string; invitation: InvitationData }) {
  const { email, tenant_name: tenant, accept_by: by } = invitation;
  const [next, setNext] = useState<string>();
  const [ended, setEnded] = useState<string>();
  const form = useForm({
    values: { name: '', password: '', hasAccount: false },
    save: async (_, { name, password }) => {
      try {
        const { tenant: slug } = await auth.post('/invitation/accept', {
          body: {
            secret,
            password,
            ...(isNew ? { name } : {}),
            ...(hasAccount ? { has_account: true } : {}),
          },
        });
        const path = `/t/${slug}`;
        const answer = await auth.post('/sign-in/email', { body: { email, password } });
        if (answer.twoFactorRedirect) setNext(path);
        else location.assign(path);
      } catch (error) {
        if (!(error instanceof Problem && error.status === 404)) throw error;
        // Used meanwhile, perhaps by this person, whose answer did not come through.
        setEnded(error.message);
      }
    },
  });
  const { hasAccount } = form.values;
  const isNew = by === 'join' && !hasAccount;

  if (ended) return <ToSignIn why={ended} />;
  if (next) {
    return (
      <SecondStep
        onDone={() => location.assign(next)}
        onBack={(why) => (why ? setEnded(why.message) : location.assign('/sign-in'))}
      />
    );
  }
  return (
    <Door
      title={t('title', { tenant })}
      intro={hasAccount ? t('acceptByAccount', { email }) : t(`accept.${by}`, { email })}
    >
      <Form form={form} guarded={false}>
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        {isNew && (
          <TextField
            {...form.text('name')}
            label={t('name')}
            name="name"
            autoComplete="name"
            maxLength={100}
            required
            autoFocus
          />
        )}
        <TextField
          key={String(hasAccount)}
          {...form.text('password')}
          label={hasAccount ? t('password') : t('newPassword')}
          hint={hasAccount ? undefined : t('passwordHint')}
          name="password"
          type="password"
          autoComplete={hasAccount ? 'current-password' : 'new-password'}
          minLength={hasAccount ? undefined : 10}
          required
        />
        {by === 'join' && (
          <CheckField
            label={t('hasAccount')}
            hint={t('hasAccountHint')}
            checked={hasAccount}
            onChange={({ target }) => form.set({ hasAccount: target.checked, password: '' })}
          />
        )}
        <Faults form={form} />
        <Button type="submit" look="primary" busy={form.busy}>
          {t('submit')}
        </Button>
      </Form>
    </Door>
  );
}
