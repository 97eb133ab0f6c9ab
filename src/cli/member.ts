import type { Command } from 'commander';
import { changeMember } from '../members/change-member.ts';
import { inviteMember } from '../members/invite-member.ts';
import { deleteInvitation, listInvitations, listMembers } from '../members/queries.ts';
import { CommandError, table, tenantBySlug, withServices } from './command.ts';

export function memberCommands(program: Command): void {
  const member = program.command('member').description('Let people sign in to the dashboard.');

  withServices(
    member
      .command('add')
      .description(
        'Print a link by which a person sets a password and signs in, once, within 7 days. For a member of the tenant it sets a new password, switches two-step sign-in off and ends all sessions.',
      )
      .argument('<tenant>')
      .argument('<email>')
      .option('--role <role>', 'owner or staff (default: owner; a member stays what they are)'),
    async (services, slug: string, email: string, { role }: { role?: string }) => {
      const tenant = await tenantBySlug(services, slug);
      const { url, invitation } = await inviteMember(services, tenant.id, {
        email,
        ...(role === undefined ? {} : { role }),
        byOperator: true,
      });
      return {
        json: {
          url,
          email: invitation.email,
          role: invitation.role,
          expires_at: invitation.expires_at.toISOString(),
        },
        text: `${url}\nWorks once, within 7 days. Give it to ${invitation.email} only.`,
      };
    },
  );

  withServices(
    member
      .command('list')
      .description('List the members of a tenant, and who is invited and until when.')
      .argument('<tenant>'),
    async (services, slug: string) => {
      const tenant = await tenantBySlug(services, slug);
      const members = await listMembers(services.db, tenant.id);
      const invitations = await listInvitations(services.db, tenant.id);
      return {
        json: {
          members: members.map(({ email, name, role, two_factor, created_at }) => ({
            email,
            name,
            role,
            two_factor,
            created_at: created_at.toISOString(),
          })),
          invitations: invitations.map(({ email, role, created_at, expires_at }) => ({
            email,
            role,
            created_at: created_at.toISOString(),
            expires_at: expires_at.toISOString(),
          })),
        },
        text: table(
          ['EMAIL', 'NAME', 'ROLE', 'TWO-STEP', 'INVITED UNTIL'],
          [
            ...members.map((each) => [
              each.email,
              each.name,
              each.role,
              each.two_factor ? 'on' : 'off',
            ]),
            ...invitations.map((each) => [
              each.email,
              '',
              each.role,
              '',
              each.expires_at.toISOString(),
            ]),
          ],
        ),
      };
    },
  );

  withServices(
    member
      .command('remove')
      .description(
        'Take a person’s access to a tenant away, or an open invitation; it holds at once.',
      )
      .argument('<tenant>')
      .argument('<email>'),
    async (services, slug: string, email: string) => {
      const tenant = await tenantBySlug(services, slug);
      const isAsked = (each: { email: string }) => each.email === email.trim().toLowerCase();
      const found = (await listMembers(services.db, tenant.id)).find(isAsked);
      if (!found) {
        const invited = (await listInvitations(services.db, tenant.id)).find(isAsked);
        if (!invited || !(await deleteInvitation(services.db, tenant.id, invited.id))) {
          throw new CommandError(
            `${slug} has no member ${email}, and nobody of that email is invited. See \`parley member list ${slug}\`.`,
          );
        }
        return {
          json: { removed: invited.email },
          text: `${invited.email} is not invited any more.`,
        };
      }
      const outcome = await changeMember(services.db, tenant.id, found.user_id, null);
      if (outcome === 'last-owner') {
        throw new CommandError(`${email} is the only owner of ${slug}. Add another owner first.`);
      }
      return { json: { removed: found.email }, text: `${found.email} has no access any more.` };
    },
  );
}
