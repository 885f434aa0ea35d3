import { hourBefore } from '#kit/server/plan-period.ts'
import type { ChargeStep, DueStep } from './auto-renewal.store.ts'

/** Hours of the last day on which the plan works. */
const chargeHours = [9, 15, 21]
/** Between the press of a button and the charge: time to read the notice, and to think better of it. */
const thinkingMinutes = 10
/** A bank that has just said no is not asked again at once. */
const pauseHours = 1

const followers = { 'charge-1': 'charge-2', 'charge-2': 'charge-3', 'charge-3': null } as const

/** The first charge, seen from the notice: at its time, or within minutes when that has passed, but before the plan ends. */
export function firstCharge(now: Temporal.Instant, expiresAt: Temporal.Instant, zone: string): DueStep {
  const soon = now.add({ minutes: thinkingMinutes })
  const [planned = soon] = chargesOf(expiresAt, zone)
  return {
    step: 'charge-1',
    dueAt: Temporal.Instant.compare(planned, soon) > 0 ? planned : earlier(soon, halfway(now, expiresAt)),
  }
}

/** What follows a charge that fails: the next of the planned times, or, when none is left, later on that day. Null after the third. */
export function nextCharge(
  step: ChargeStep,
  now: Temporal.Instant,
  expiresAt: Temporal.Instant,
  zone: string,
): DueStep | null {
  const follower = followers[step]
  if (!follower) return null
  const planned = chargesOf(expiresAt, zone).find(
    (time) => Temporal.Instant.compare(time, now.add({ hours: pauseHours })) >= 0,
  )
  return { step: follower, dueAt: planned ?? halfway(now, expiresAt) }
}

const chargesOf = (expiresAt: Temporal.Instant, zone: string): Temporal.Instant[] =>
  chargeHours.map((hour) => hourBefore(expiresAt, { days: 1, hour }, zone))

function halfway(from: Temporal.Instant, to: Temporal.Instant): Temporal.Instant {
  const milliseconds = Math.max(0, Math.floor((to.epochMilliseconds - from.epochMilliseconds) / 2))
  return from.add({ milliseconds })
}

const earlier = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  Temporal.Instant.compare(one, other) < 0 ? one : other
