import { Dialog } from '../../parts/overlays/dialog.tsx';
import type { ListSection } from '../message-view.ts';
import { useChoose } from './choosing.ts';

/** The rows of a list message, in front of the conversation. */
export function Choices({
  title,
  sections,
  onClose,
}: {
  title: string;
  sections: ListSection[];
  onClose: () => void;
}) {
  const choose = useChoose();
  return (
    <Dialog title={<bdi>{title}</bdi>} open onClose={onClose}>
      <div className="grid gap-4">
        {sections.map((section, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: sections of one message never move
          <section key={index} aria-label={section.title}>
            {section.title && (
              <h3 dir="auto" className="mb-1 text-sm font-semibold text-muted">
                {section.title}
              </h3>
            )}
            <ul className="-mx-2">
              {section.rows.map((row) => (
                <li key={row.key} className="border-b border-line last:border-b-0">
                  {choose ? (
                    <button
                      type="button"
                      className="w-full rounded-lg px-2 py-2.5 text-left hover:bg-sunken"
                      onClick={() => {
                        choose(row.key);
                        onClose();
                      }}
                    >
                      <Row {...row} />
                    </button>
                  ) : (
                    <div className="px-2 py-2.5">
                      <Row {...row} />
                    </div>
                  )}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function Row({ title, description }: ListSection['rows'][number]) {
  return (
    <>
      <span dir="auto" className="block break-words font-medium">
        {title}
      </span>
      {description && (
        <span dir="auto" className="block break-words text-sm text-muted">
          {description}
        </span>
      )}
    </>
  );
}
