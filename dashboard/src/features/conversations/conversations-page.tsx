import { Page } from '../../parts/page.tsx';

export function ConversationsPage() {
  return <Page title="Conversations">{null}</Page>;
}
