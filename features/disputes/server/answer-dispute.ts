import type { Actor } from '#kit/server/actor.ts'
import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import { isDisputeOpen } from '../disputes.states.ts'
import { actOnDispute } from './dispute-act.ts'
import { reportContested } from './dispute-tasks.ts'
import type { DisputeDeps } from './disputes.deps.ts'
import { answerDispute, type Dispute } from './disputes.store.ts'

// What the provider answers a bank. The gateway has no call for either: it is told at its own site, and this writes down that it was.

/** Why a dispute can be answered no more; null while it can be accepted. */
export function whyNotAccepted({ state, outcome, answer }: Dispute): string | null {
  if (answer === 'accepted') return 'This dispute was accepted already.'
  if (outcome) return `This dispute was closed as ${outcome} already.`
  if (!isDisputeOpen(state)) return `This dispute is over: it is ${state.replace('_', ' ')}.`
  return answer === 'contested'
    ? 'Evidence against this dispute is handed in: the bank decides, and the gateway tells what came of it.'
    : null
}

/** The same for contesting it, which has a last day. Real time: the bank goes by no other. */
export function whyNotContested(dispute: Dispute): string | null {
  const why = whyNotAccepted(dispute)
  if (why) return why
  return dispute.due_at && Temporal.Instant.compare(fromDate(dispute.due_at), realNow()) <= 0
    ? 'The time to contest this dispute is over.'
    : null
}

type Word = { reference: string; note: string; actor: Actor }

/**
 * The money is left to the bank: it is gone, cannot be given back as well, and nothing more is to be done. The service stays as it is.
 * What the gateway tells of it from then on, that the money was taken, opens it no more.
 */
export const acceptDispute = (deps: DisputeDeps, { note, ...who }: Word): Promise<Dispute | { why: string }> =>
  actOnDispute(deps, who, {
    event: 'dispute_accepted',
    name: 'accept dispute',
    to: 'lost',
    note: note || null,
    whyNot: whyNotAccepted,
    change: (trx, dispute, by) => answerDispute(trx, dispute, { answer: 'accepted', by, note: note || null }),
  })

/** `handedInAt`: the market's midnight of the day on which the gateway has had it, under `evidenceReference`. */
type Contest = Word & { evidenceReference: string; handedInAt: Temporal.Instant }

/** Evidence was handed in at the gateway's own site. The dispute stays open, with its date, until the gateway tells what came of it. */
export const contestDispute = (
  deps: DisputeDeps,
  { note, evidenceReference, handedInAt, ...who }: Contest,
): Promise<Dispute | { why: string }> =>
  actOnDispute(deps, who, {
    event: 'dispute_contested',
    name: 'contest dispute',
    to: 'contested',
    note: [`evidence ${evidenceReference}`, ...(note ? [note] : [])].join(': '),
    whyNot: (dispute) => whyNotContested(dispute) ?? whyNotHandedIn(handedInAt),
    change: (trx, dispute, by) =>
      answerDispute(trx, dispute, {
        answer: 'contested',
        by,
        note: note || null,
        evidenceReference,
        handedInAt: toDate(handedInAt),
      }),
    report: reportContested,
  })

/** What is to come cannot have been handed in. A day begins earlier in some zones than in ours. */
const whyNotHandedIn = (at: Temporal.Instant): string | null =>
  Temporal.Instant.compare(at, realNow()) > 0 ? 'That day has not come yet.' : null
