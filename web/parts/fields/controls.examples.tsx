import { ChoiceMenu } from '../overlays/choice-menu.tsx';
import { Ago } from '../page/ago.tsx';
import { Figure, Figures } from '../page/figures.tsx';
import { Progress } from '../page/progress.tsx';
import { CopyField } from './copy-field.tsx';
import { SearchField } from './search-field.tsx';
import { SwitchField } from './switch-field.tsx';

const ignore = () => {};

export const switches = (
  <div className="grid gap-3">
    <SwitchField label="API access" hint="Tokens work." value onChange={ignore} />
    <SwitchField label="Read receipts" value={false} onChange={ignore} />
  </div>
);
export const copy = <CopyField label="Token" value="parley_0123456789" />;
export const search = (
  <SearchField label="Search contacts" placeholder="Name, phone" value="" onSearch={ignore} />
);
export const menu = (
  <ChoiceMenu choices={[{ value: 'owner', words: 'Owner' }]} busy={false} onChoose={ignore}>
    Owner
  </ChoiceMenu>
);
export const progress = <Progress label="Import" share={0.42} />;
export const figures = (
  <Figures>
    <Figure label="Sent" value="1,283" hint="today" />
    <Figure label="Failed" value="12" bad />
  </Figures>
);
// In days, so that the words are the same when the picture is taken a minute later.
export const ago = (
  <p>
    <Ago at={new Date(Date.now() - 60 * 60 * 60_000).toISOString()} />
  </p>
);
