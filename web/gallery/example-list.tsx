import type { ExampleFile } from './examples.ts';

/** The examples of a file, one below the other. */
export function ExampleList({ name, examples }: ExampleFile) {
  return (
    <section className="mb-10" aria-label={name}>
      <h2 className="mb-3 text-lg font-semibold">{name}</h2>
      <div className="grid grid-cols-1 gap-5">
        {examples.map((each) => (
          <div key={each.name} className="min-w-0">
            <h3 className="mb-1 text-sm text-muted">{each.name}</h3>
            {each.element}
          </div>
        ))}
      </div>
    </section>
  );
}
