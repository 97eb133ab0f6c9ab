import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { inviteMember } from '../../../src/members/invite-member.ts';
import { look, pageLooks } from '../../browser/look.ts';
import { loseFirst } from '../../browser/lose-first.ts';
import { openWithin, testDashboard } from '../../browser/open-dashboard.ts';
import { eventually } from '../../checks/eventually.ts';

const app = testDashboard();

test('a person follows the link, sets a password, and is signed in; later the password is enough', async () => {
  const shop = await app.tenant();
  const page = await app.blank();
  const { url } = await inviteMember(app.services, shop.id, {
    email: 'grace@example.com',
    byOperator: true,
  });
  await page.goto(url.replace(/^https:\/\/[^/]+/, app.origin));
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByLabel('New password').fill('a ship in port is safe');
  await look(page, 'welcome', pageLooks);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/t/${shop.slug}`);

  const signOut = async () => {
    await page.getByRole('button', { name: /^Your account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  await loseFirst(page, '**/auth/sign-out');
  await signOut();
  await page.getByText('Parley can’t be reached.').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/t/${shop.slug}`);
  await signOut();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto(`${app.origin}/t/${shop.slug}/api`);
  await page.getByLabel('Email').fill('grace@example.com');
  await page.getByLabel('Password').fill('not my password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Email or password is wrong.').waitFor();
  await page.getByText('Forgotten your password?').waitFor();
  await look(page, 'sign-in', pageLooks);
  await page.getByLabel('Password').fill('a ship in port is safe');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'API' }).waitFor();

  await page.goto(`${app.origin}/account`);
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  await look(page, 'account', pageLooks);

  await page.goto(url.replace(/^https:\/\/[^/]+/, app.origin));
  await page.getByText('This link has already been used or has expired.').waitFor();
  const other = await app.tenant();
  const next = await inviteMember(app.services, other.id, {
    email: 'grace@example.com',
    byOperator: true,
  });
  await page.goto(next.url.replace(/^https:\/\/[^/]+/, app.origin));
  await page.getByRole('heading', { name: `Welcome to ${other.slug}` }).waitFor();
  await app.db.query(sql`delete from invitations where tenant_id = ${other.id}`);
  await page.getByLabel('I already use Parley with this email').check();
  await page.getByLabel('Password').fill('a ship in port is safe');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('This link has already been used or has expired.').waitFor();
  await page.getByRole('link', { name: 'Go to sign in' }).click();
  await page.getByLabel('Email').waitFor();
});

test('a person with a session adds a business to the account, or creates another account', async () => {
  const shops = [await app.tenant(), await app.tenant(), await app.tenant()];
  const email = 'several@example.com';
  const page = await app.blank();
  const open = async (index: number) => {
    const shop = shops[index]!;
    const { url } = await inviteMember(app.services, shop.id, { email, byOperator: false });
    await page.context().clearCookies();
    await page.goto(url.replace(/^https:\/\/[^/]+/, app.origin));
    await page.getByRole('heading', { name: `Welcome to ${shop.slug}` }).waitFor();
  };
  const enter = async (index: number) => {
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/t/${shops[index]!.slug}`);
    return await page.getByRole('button', { name: /^Switch business/ }).count();
  };
  await open(0);
  await page.getByLabel('Your name').fill('Grace Hopper');
  await page.getByLabel('New password').fill('a ship in port is safe');
  expect(await enter(0)).toBe(0);

  await open(1);
  await page.getByLabel('I already use Parley with this email').check();
  expect(await page.getByLabel('Your name').count()).toBe(0);
  await page.getByLabel('Password').fill('not my password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('This is not the password of an account with this email.').waitFor();
  await look(page, 'welcome-with-account');
  await page.getByLabel('Password').fill('a ship in port is safe');
  expect(await enter(1)).toBe(1);

  await open(2);
  await page.getByLabel('Your name').fill('Grace Elsewhere');
  await page.getByLabel('New password').fill('another ship in port');
  expect(await enter(2)).toBe(0);
});

test('an expired session leads to the sign-in page, and signing in leads back to the page', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop, { at: '/labels' });
  const email = await page.evaluate<string>(
    "fetch('/auth/session').then((answer) => answer.json()).then(({ data }) => data.email)",
  );
  await page.getByRole('button', { name: 'Add group' }).waitFor();
  await page.waitForLoadState('networkidle');
  await app.db.query(sql`delete from auth."session"`);
  let letOn = () => {};
  const held = new Promise<void>((resolve) => {
    letOn = resolve;
  });
  await page.route('**/assets/sign-in-page-*.js', async (route) => {
    await held;
    await route.continue();
  });
  // The page sends several requests at once, and each gets a 401.
  await page.getByRole('link', { name: 'Contacts', exact: true }).click();
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  expect(await page.getByText('Page not found').count()).toBe(0);
  letOn();
  await page.getByLabel('Email').fill(email);
  expect(new URL(page.url()).searchParams.get('next')).toBe(`/t/${shop.slug}/contacts`);
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();

  await page.goto(`${app.origin}/sign-in?next=${encodeURIComponent('//elsewhere.example/')}`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

  await page.goto(`${app.origin}/account`);
  await page.getByLabel('Name').fill('Grace Hopper');
  await app.db.query(sql`delete from auth."session"`);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByLabel('Email').waitFor();
  expect(new URL(page.url()).searchParams.get('next')).toBe('/account');
});

test('an owner who is made staff meanwhile sees the pages of staff after the first refusal', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop, { at: '/numbers' });
  const simulate = page.getByRole('button', { name: 'Connect a simulated number' });
  await simulate.waitFor();
  await app.db.query(sql`update members set role = 'staff' where tenant_id = ${shop.id}`);
  await simulate.click();
  await page.getByText('Only an owner may do this.').waitFor();
  await simulate.waitFor({ state: 'detached' });
});

test("another tenant's page is not found", async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  const page = await app.open(shop);
  await page.goto(`${app.origin}/t/${other.slug}/api`);
  await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
  await look(page, 'not-found', pageLooks);
});

test('a member of many tenants can reach the last one, wide and narrow', async () => {
  const shop = await app.tenant();
  await app.db.query(sql`
    insert into tenants (slug, name, plan)
    select 'many-' || n, case n when 1 then repeat('Wide', 30) else 'Z shop ' || 100 + n end, 'starter'
    from generate_series(1, 30) as n`);
  const join = sql`
    insert into members (tenant_id, user_id, role)
    select tenants.id, user_id, 'owner' from members, tenants
    where tenant_id = ${shop.id} and tenants.slug like 'many-%'`;
  const page = await app.open(shop, { before: () => app.db.query(join) });
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 640 });
    if (width === 360) await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: /^Switch business/ }).click();
    const menu = await page.getByRole('menu').boundingBox();
    expect(menu?.height).toBeLessThan(640);
    expect(menu?.width).toBeLessThan(400);
    const last = page.getByRole('menuitem', { name: 'Z shop 130' });
    await page.getByRole('menuitem', { name: 'Z shop 102' }).hover();
    await page.mouse.wheel(0, 3_000);
    await eventually(async () => ((await last.boundingBox())?.y ?? 640) < 640);
    await last.click();
    await page.waitForURL('**/t/many-30');
    await openWithin(page, `/t/${shop.slug}`);
  }
});

/** Opens the overview of a business whose owner has another one too. */
async function openWithTwoBusinesses() {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  const join = sql`
    insert into members (tenant_id, user_id, role)
    select ${other.id}, user_id, 'owner' from members where tenant_id = ${shop.id}`;
  const page = await app.open(shop, { before: () => app.db.query(join) });
  return { shop, other, page };
}

test('the overview of another tenant shows nothing of the one before while it loads', async () => {
  const { other, page } = await openWithTwoBusinesses();
  await page.getByText('Delivery rate').waitFor();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**/${other.slug}/overview*`, async (route) => {
    await released;
    await route.continue();
  });
  const tenants = page.getByRole('button', { name: /^Switch business/ });
  await tenants.click();
  await page.getByRole('menuitem', { name: other.slug }).click();
  await tenants.getByText(other.slug).waitFor();
  expect(await page.getByText('Delivery rate').count()).toBe(0);
  release();
  await page.getByText('Delivery rate').waitFor();
});

test('the next visit begins with the business that was opened last, not with one that the mouse passed', async () => {
  const { shop, other, page } = await openWithTwoBusinesses();
  await page.getByRole('button', { name: /^Switch business/ }).click();
  const preloaded = page.waitForResponse(`**/${other.slug}/overview*`);
  await page.getByRole('menuitem', { name: other.slug }).hover();
  await preloaded;
  await page.goto(`${app.origin}/`);
  await page.waitForURL(`**/t/${shop.slug}`);

  await page.getByRole('button', { name: /^Switch business/ }).click();
  await page.getByRole('menuitem', { name: other.slug }).click();
  await page.waitForURL(`**/t/${other.slug}`);
  await page.goto(`${app.origin}/`);
  await page.waitForURL(`**/t/${other.slug}`);
});

test('a member invites another, who joins with the link', async () => {
  const shop = await app.tenant();
  const page = await app.open(shop, { at: '/members' });
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('Email').fill('new@example.com');
  await page.getByRole('button', { name: 'Create link' }).click();
  const url = await page.getByLabel('Link', { exact: true }).inputValue();
  await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error())');
  await page.getByRole('button', { name: 'Copy: Link' }).click();
  await page.getByText('Your browser doesn’t allow copying from this page.').waitFor();
  expect(await page.evaluate('document.getSelection().toString()')).toBe(url);
  expect(await page.getByText('Copied').count()).toBe(0);
  await look(page, 'invitation', pageLooks);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('new@example.com').waitFor();
  await look(page, 'members');

  const theirs = await app.blank();
  await theirs.goto(url.replace(/^https:\/\/[^/]+/, app.origin));
  await theirs.getByLabel('Your name').fill('🇫🇷 New Person');
  await theirs.getByLabel('New password').fill('quite a long password');
  await theirs.getByRole('button', { name: 'Sign in' }).click();
  await theirs.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const menu = theirs.getByRole('button', { name: /^Your account/ });
  expect(await menu.locator('span[aria-hidden]').first().innerText()).toBe('🇫🇷');

  await page.reload();
  await page
    .getByRole('listitem')
    .filter({ hasText: 'New Person' })
    .getByRole('button', { name: 'Remove 🇫🇷 New Person' })
    .click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Member removed.').waitFor();
  await theirs.getByRole('link', { name: 'Labels', exact: true }).click();
  await theirs.getByText(`You are no longer a member of ${shop.slug}`).waitFor();
  await look(theirs, 'removed');

  // A refusal without a form to show it is still shown, once.
  await page.getByRole('button', { name: 'Remove' }).first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'this is the only owner' });
  await notice.waitFor();
  await page.getByRole('button', { name: 'Role of Ada Lovelace: Owner' }).click();
  await page.getByRole('menuitem', { name: 'Staff' }).click();
  await notice.nth(1).waitFor();
  expect(await notice.count()).toBe(2);
  await look(page, 'members-only-owner');
});
