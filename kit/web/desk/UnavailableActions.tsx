import * as s from './UnavailableActions.module.css'

/**
 * Lists the actions that are currently unavailable. `acts` pairs each button text with the reason, or with `null` if the action is
 * available.
 */
export function UnavailableActions({ acts }: { acts: readonly (readonly [act: string, why: string | null])[] }) {
  const unavailableActions = acts.filter(([, why]) => why !== null)
  if (unavailableActions.length === 0) return null
  return (
    <section className={s.notPossible} aria-label="Unavailable actions">
      <h2>Unavailable actions</h2>
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
