import * as s from './NotPossible.module.css'

/** What cannot be done now, and why; nothing where all can. `acts`: by what is on its button, null where it can be done. */
export function NotPossible({ acts }: { acts: readonly (readonly [act: string, why: string | null])[] }) {
  const told = acts.filter(([, why]) => why !== null)
  if (told.length === 0) return null
  return (
    <section className={s.notPossible} aria-label="Not possible now">
      <h2>Not possible now</h2>
      <dl>
        {told.map(([act, why]) => (
          <div key={act}>
            <dt>{act}</dt>
            <dd>{why}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
