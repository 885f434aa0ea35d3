import * as s from './NotPossible.module.css'

/** `acts`: button texts with the reason, or `null` for a possible action. */
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
