import { formatSum } from '#kit/contract/sums.ts'
import { formatNational } from '#kit/contract/phone.ts'
import type { Happened } from '#features/customers/server/history.store.ts'
import { wordsOf as gatewayWords } from '#features/orders/server/gateway-words.present.ts'
import { reasonWords } from '#desk/features/staff/reasons.contract.ts'
import type { HappenedRow, Tone } from '../happened.contract.ts'
import { actWords } from './act-words.ts'
import { lookWords } from './look-words.ts'
import { messageWords } from './message-words.ts'
import { orderWords } from './order-words.ts'

export type Sentence = Pick<HappenedRow, 'icon' | 'tone' | 'title' | 'detail' | 'why'>

type Words = { title: string; tone: Tone }

const refunds: Readonly<Record<string, Words>> = {
  initiated: { title: 'Refund on its way to the gateway', tone: 'plain' },
  unknown: { title: 'Refund: no answer from the gateway yet', tone: 'warn' },
  received: { title: 'Refunded', tone: 'good' },
  refused: { title: 'Refund refused by the gateway', tone: 'bad' },
  returned: { title: 'Refund returned by the bank', tone: 'bad' },
}

const disputes: Readonly<Record<string, Words>> = {
  announced: { title: 'The bank disputes a payment', tone: 'warn' },
  charged_back: { title: 'Chargeback: the bank took the money back', tone: 'bad' },
  reversed: { title: 'Chargeback reversed: we have the money again', tone: 'good' },
  prearbitration: { title: 'Chargeback: the bank continues the dispute (pre-arbitration)', tone: 'warn' },
  lost: { title: 'Dispute lost', tone: 'bad' },
  won: { title: 'Dispute won', tone: 'good' },
  'closed as won': { title: 'Dispute closed as won', tone: 'good' },
  'closed as lost': { title: 'Dispute closed as lost', tone: 'bad' },
  'closed as nothing': { title: 'Dispute closed: no money was taken', tone: 'plain' },
}

const transfers: Readonly<Record<string, Words>> = {
  NEW: { title: 'Number transfer requested', tone: 'plain' },
  SUBMITTED: { title: 'Number transfer in progress', tone: 'plain' },
  CANCELLING: { title: 'Number transfer being cancelled', tone: 'plain' },
  COMPLETED: { title: 'Number transferred to us', tone: 'good' },
  FAILED: { title: 'Number transfer declined', tone: 'bad' },
  CANCELLED: { title: 'Number transfer cancelled', tone: 'plain' },
}

const others: Words = { title: 'Other activity', tone: 'plain' }

/** Describes an entry. Stored codes never reach the reader: an unknown code gets a general title. */
export function sentenceOf(happened: Happened): Sentence {
  return { why: null, detail: '', ...wordsFor(happened) }
}

function wordsFor({
  of,
  what,
  detail,
  cents,
  kind,
  reason,
  actor,
}: Happened): Partial<Sentence> & Omit<Sentence, 'why' | 'detail'> {
  const amount = cents === null ? '' : formatSum(cents)
  switch (of) {
    case 'order': {
      const [ordered = '', state = ''] = what.split(' ')
      const words = orderWords({ kind: ordered, state, auto_renewal: kind === 'auto' })
      return { icon: 'order', ...words, detail: listed(detail, amount) }
    }
    case 'refund':
      return { icon: 'money', ...(refunds[what] ?? others), detail: amount }
    case 'dispute':
      return { icon: 'dispute', ...(disputes[what] ?? others), detail: amount }
    case 'gateway':
      return {
        icon: 'money',
        tone: 'warn',
        title: `From the gateway: ${gatewayWords(what) ?? 'a notification about a payment'}`,
      }
    case 'number':
      return what === 'released'
        ? { icon: 'number', tone: 'plain', title: 'Number returned to the network', detail: formatNational(detail) }
        : { icon: 'number', tone: 'good', title: 'Number activated', detail: formatNational(detail) }
    case 'transfer':
      return { icon: 'transfer', ...(transfers[what] ?? others), detail: formatNational(detail) }
    case 'message':
      return messageWords(what, { subject: detail, kind })
    case 'act':
      return {
        icon: actor === null || actor === 'system' ? 'account' : 'staff',
        ...actWords(what),
        detail: callerWords(what, detail),
        why: reason && reasonWords(reason),
      }
    case 'look':
      return { icon: 'look', tone: 'plain', title: looked(what), why: lookWords(reason, detail) }
  }
}

const shown: Readonly<Record<string, string>> = {
  email_shown: 'E-mail address shown',
  sim_shown: 'SIM number shown',
}
const looked = (act: string): string => shown[act] ?? 'Opened by us'

const listed = (...parts: string[]): string => parts.filter(Boolean).join(' · ')

function callerWords(event: string, details: string): string {
  if (event !== 'caller_pin_sent' && event !== 'caller_pin_wrong' && event !== 'caller_verified') return ''
  const { by, tries } = JSON.parse(details) as { by?: string; tries?: number }
  const way = by === 'mail' ? 'PIN by email' : 'PIN by text'
  if (event === 'caller_pin_sent' || tries === undefined) return way
  const turn = `the ${['first', 'second', 'third', 'fourth', 'fifth'][tries - 1] ?? 'last'} try`
  return event === 'caller_verified' ? `${way}, correct at ${turn}` : `${way}, ${turn}`
}
