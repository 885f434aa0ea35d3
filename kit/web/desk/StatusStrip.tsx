import * as s from './StatusStrip.module.css'

export type StatusSlot = { ok: number; slow: number; failed: number }

type Props = {
  title: string
  slots: readonly StatusSlot[]
  nameOf: (at: number) => string
}

export function StatusStrip({ title, slots, nameOf }: Props) {
  const failedSlots = slots.flatMap((slot, at) => (slot.failed + slot.slow > 0 ? [{ ...slot, at }] : []))
  return (
    <div className={s.strip}>
      <svg viewBox={`0 0 ${slots.length} 10`} preserveAspectRatio="none" aria-hidden="true">
        {slots.map((slot, at) => (
          <rect key={at} className={getSlotClass(slot)} x={at + 0.15} width="0.7" height="10" />
        ))}
      </svg>
      <span className="visually-hidden">
        {title}, {slots.length} half hours:{' '}
        {failedSlots.length === 0
          ? 'nothing failed.'
          : failedSlots.map(({ at, failed, slow }) => `${nameOf(at)}: ${failed} failed, ${slow} slow. `).join('')}
      </span>
    </div>
  )
}

function getSlotClass({ ok, slow, failed }: StatusSlot): string | undefined {
  const all = ok + slow + failed
  if (all === 0) return s.nothing
  if (failed * 2 > all) return s.bad
  return failed > 0 || slow * 10 > all ? s.warn : s.good
}
