/** The heading of a day between messages. While it floats, it fades out when scrolling ends: see `theme.css`. */
export function DayHeading({ day, isFloating }: { day: string; isFloating?: boolean }) {
  return (
    <p className={`my-2 text-center ${isFloating ? 'day-floating' : ''}`}>
      <span
        className={`inline-block rounded-full px-3 py-0.5 text-xs ${
          isFloating
            ? 'border border-line bg-accent-soft font-medium text-ink shadow-card'
            : 'bg-sunken text-muted'
        }`}
      >
        {day}
      </span>
    </p>
  );
}
