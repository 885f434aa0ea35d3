import * as s from './UnavailableActions.module.css'

/** Lists the actions that are not possible now. `acts` has the button texts, each with its reason, or with `null` for a possible action. */
export function UnavailableActions({ acts }: { acts: readonly (readonly [act: string, why: string | null])[] }) {
  const unavailableActions = acts.filter(([, why]) => why !== null)
  if (unavailableActions.length === 0) return null
  return (
    <section className={s.notPossible} aria-label="Not possible now">
      <h2>Not possible now</h2>
      <dl>
        {unavailableActions.map(([act, why]) => (
          <div key={act}>
            <dt>{act}</dt>
            <dd>{why}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
