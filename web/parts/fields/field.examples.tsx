import { CheckField, SelectField, TextArea, TextField } from './field.tsx';

export const text = <TextField label="Name" defaultValue="Ada Lovelace" />;
export const withAHint = <TextField label="City" hint="Where orders are sent." optional />;
export const withAnError = (
  <TextField
    label="Phone"
    defaultValue="0170"
    errors={['Begin with + and the country code.', 'This is too short.']}
  />
);
export const rightToLeft = <TextField label="Company" defaultValue="شاي القاهرة (2024)" />;
export const disabled = <TextField label="Email" defaultValue="ada@example.com" disabled />;
export const area = <TextArea label="Reply" defaultValue="Your order is on its way." />;
export const select = (
  <SelectField label="Expires" choices={{ never: 'Never', soon: 'In 30 days' }} />
);
export const check = <CheckField label="Newsletter" hint="Sent once a month." defaultChecked />;
