import { Pencil } from 'lucide-react';
import { Button, IconButton } from './button.tsx';

export const looks = (
  <div className="flex flex-wrap gap-2">
    <Button look="primary">Primary</Button>
    <Button>Plain</Button>
    <Button look="quiet">Quiet</Button>
    <Button look="danger">Danger</Button>
    <IconButton label="Edit">
      <Pencil className="size-5" aria-hidden />
    </IconButton>
  </div>
);

export const small = (
  <div className="flex flex-wrap gap-2">
    <Button small>Small</Button>
    <Button small look="quiet">
      Small and quiet
    </Button>
  </div>
);

export const unavailable = (
  <div className="flex flex-wrap gap-2">
    <Button disabled>Disabled</Button>
    <Button look="primary" busy>
      Busy
    </Button>
  </div>
);
