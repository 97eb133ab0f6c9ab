import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take seventeen seconds or more, slowest first. */
const slowest = [
  'test/dashboard/live.test.ts',
  'test/dashboard/pages/conversations.test.ts',
  'test/dashboard/every-page.test.ts',
  'attack/attack.test.ts',
  'test/dashboard/sign-in/sign-in.test.ts',
  'src/platform/embedded-postgres/embedded-postgres.test.ts',
  'test/dashboard/pages/contacts.test.ts',
  'src/moving/move-tenant.test.ts',
  'src/cli/commands/contact.test.ts',
  'test/stories/service-processes.test.ts',
  'test/dashboard/pages/webhook.test.ts',
  'test/dashboard/keyboard.test.ts',
  'test/stories/service-restarts.test.ts',
  'src/cli/commands/stores/store.test.ts',
  'test/phone/chat.test.ts',
  'test/dashboard/pages/stores.test.ts',
  'src/cli/commands/tenants/tenant-files.test.ts',
  'test/stories/kill-service.test.ts',
  'test/dashboard/forms.test.ts',
  'src/labels/unset-labels.test.ts',
  'test/stories/silence.test.ts',
  'src/api-description/api-description.test.ts',
  'test/dashboard/rare-states.test.ts',
  'test/stories/service.test.ts',
  'test/dashboard/pages/usage.test.ts',
  'src/cli/commands/backup.test.ts',
  'test/stories/kill-send.test.ts',
  'src/webhooks/delivering/deliveries.test.ts',
  'src/bots/answering/answers.test.ts',
  'clients/typescript/test/client.test.ts',
  'test/dashboard/pages/numbers.test.ts',
  'test/dashboard/sign-in/two-factor.test.ts',
  'src/platform/listener/http2/http2-limits.test.ts',
  'src/cli/commands/webhooks/webhook.test.ts',
  'test/phone/phones.test.ts',
  'test/stories/kill-with-events.test.ts',
  'test/stories/command.test.ts',
  'src/messages/sending/senders.test.ts',
  'test/upgrades/upgrades.test.ts',
  'test/dashboard/every-form.test.ts',
];

/**
 * Starts the slowest files first, also on a machine that has never run them. A slow file at the end would
 * keep one worker busy while the others are idle.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const named = slowest.flatMap((name) =>
      others.filter((file) => file.moduleId.endsWith(`/${name}`)),
    );
    return [...named, ...others.filter((file) => !named.includes(file))];
  }
}
