import type { Caller } from '../caller-verification.contract.ts'
import { maxPinTries } from './caller-checks.store.ts'
import type { readCallerState } from './caller-verification.ts'

/** Builds the response with masked destinations for the PIN. The full destinations never leave the server. */
export const presentCaller = ({ until, asked, ways }: Awaited<ReturnType<typeof readCallerState>>): Caller => ({
  verified_until: until?.toString() ?? null,
  asked: asked && {
    by: asked.sent_by,
    to: asked.sent_to,
    until: asked.expires_at.toISOString(),
    tries_left: maxPinTries - asked.tries,
  },
  ways: ways.map(({ id, by, shown, whyNot }) => ({ id, by, to: shown, why_not: whyNot })),
})
