import * as s from './Strip.module.css'

/** A piece of time: what went well, what took long, and what failed. */
export type Slot = { ok: number; slow: number; failed: number }

type Props = {
  /** What it is about. */
  title: string
  slots: readonly Slot[]
  /** Which piece of time a slot is, for those who cannot see it: `10:00`. */
  nameOf: (at: number) => string
}

/** Pieces of time side by side, each in the colour of how it went. What was not well is said in words besides. */
export function Strip({ title, slots, nameOf }: Props) {
  const troubles = slots.flatMap((slot, at) => (slot.failed + slot.slow > 0 ? [{ ...slot, at }] : []))
  return (
    <div className={s.strip}>
      <svg viewBox={`0 0 ${slots.length} 10`} preserveAspectRatio="none" aria-hidden="true">
        {slots.map((slot, at) => (
          <rect key={at} className={lookOf(slot)} x={at + 0.15} width="0.7" height="10" />
        ))}
      </svg>
      <span className="visually-hidden">
        {title}, {slots.length} half hours:{' '}
        {troubles.length === 0
          ? 'nothing failed.'
          : troubles.map(({ at, failed, slow }) => `${nameOf(at)} ${failed} failed, ${slow} slow. `).join('')}
      </span>
    </div>
  )
}

/** One that failed among many that did not is to be looked at, and no more. */
function lookOf({ ok, slow, failed }: Slot): string | undefined {
  const all = ok + slow + failed
  if (all === 0) return s.nothing
  if (failed * 2 > all) return s.bad
  return failed > 0 || slow * 10 > all ? s.warn : s.good
}
