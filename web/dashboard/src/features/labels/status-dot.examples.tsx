import type { LabelData } from '../../api/records.ts';
import { StatusBadge } from './status-badge.tsx';

const at = '2026-11-25T10:04:00.000Z';
const status = (name: string, color: string | null): LabelData => ({
  id: 1,
  name,
  description: null,
  color,
  created_at: at,
  updated_at: at,
});

export const black = <StatusBadge status={status('Night', '#000000')} />;
export const white = <StatusBadge status={status('Snow', '#ffffff')} />;
export const withoutColor = <StatusBadge status={status('Lead', null)} />;
export const rightToLeft = <StatusBadge status={status('مجموعة (5)!', '#22c55e')} />;
