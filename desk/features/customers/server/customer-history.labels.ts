import { formatPriceWithCommas } from '#kit/contract/format-price-with-commas.ts'
import { formatNational } from '#kit/contract/phone.ts'
import type { HistoryEvent } from '#features/customers/server/history.store.ts'
import { gatewayEventLabel as gatewayWords } from '#features/orders/server/gateway.labels.ts'
import { reasonLabel } from '#desk/features/staff/reasons.contract.ts'
import type { HistoryEntry, Tone } from '../customer-history.contract.ts'
import { eventLabel } from './event.labels.ts'
import { accessReasonLabel } from './access-reason.labels.ts'
import { messageLabel } from './message.labels.ts'
import { orderLabel } from './order.labels.ts'

export type HistoryDescription = Pick<HistoryEntry, 'icon' | 'tone' | 'title' | 'detail' | 'why'>

type HistoryLabel = { title: string; tone: Tone }

const refundTitles: Readonly<Record<string, HistoryLabel>> = {
  initiated: { title: 'Refund on its way to the gateway', tone: 'plain' },
  unknown: { title: 'Refund: no answer from the gateway yet', tone: 'warn' },
  received: { title: 'Refunded', tone: 'good' },
  refused: { title: 'Refund refused by the gateway', tone: 'bad' },
  returned: { title: 'Refund returned by the bank', tone: 'bad' },
}

const disputeTitles: Readonly<Record<string, HistoryLabel>> = {
  announced: { title: 'The bank disputes a payment', tone: 'warn' },
  charged_back: { title: 'Chargeback: the bank took the money back', tone: 'bad' },
  reversed: { title: 'Chargeback reversed: the money was returned to us', tone: 'good' },
  prearbitration: { title: 'Chargeback: the bank continues the dispute (pre-arbitration)', tone: 'warn' },
  lost: { title: 'Dispute lost', tone: 'bad' },
  won: { title: 'Dispute won', tone: 'good' },
  'closed as won': { title: 'Dispute closed as won', tone: 'good' },
  'closed as lost': { title: 'Dispute closed as lost', tone: 'bad' },
  'closed as nothing': { title: 'Dispute closed: no money was taken', tone: 'plain' },
}

const transferTitles: Readonly<Record<string, HistoryLabel>> = {
  NEW: { title: 'Number transfer requested', tone: 'plain' },
  SUBMITTED: { title: 'Number transfer in progress', tone: 'plain' },
  CANCELLING: { title: 'Number transfer being cancelled', tone: 'plain' },
  COMPLETED: { title: 'Number transferred to us', tone: 'good' },
  FAILED: { title: 'Number transfer declined', tone: 'bad' },
  CANCELLED: { title: 'Number transfer cancelled', tone: 'plain' },
}

const unknownEvent: HistoryLabel = { title: 'Other activity', tone: 'plain' }

/** Describes a history entry in words. Stored codes are never shown: an unknown code gets a general title. */
export function describeEntry(happened: HistoryEvent): HistoryDescription {
  return { why: null, detail: '', ...getHistoryLabel(happened) }
}

function getHistoryLabel({
  of,
  what,
  detail,
  cents,
  kind,
  reason,
  actor,
}: HistoryEvent): Partial<HistoryDescription> & Omit<HistoryDescription, 'why' | 'detail'> {
  const amount = cents === null ? '' : formatPriceWithCommas(cents)
  switch (of) {
    case 'order': {
      const [orderType = '', state = ''] = what.split(' ')
      const label = orderLabel({ kind: orderType, state, auto_renewal: kind === 'auto' })
      return { icon: 'order', ...label, detail: joinParts(detail, amount) }
    }
    case 'refund':
      return { icon: 'money', ...(refundTitles[what] ?? unknownEvent), detail: amount }
    case 'dispute':
      return { icon: 'dispute', ...(disputeTitles[what] ?? unknownEvent), detail: amount }
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
      return { icon: 'transfer', ...(transferTitles[what] ?? unknownEvent), detail: formatNational(detail) }
    case 'message':
      return messageLabel(what, { subject: detail, kind })
    case 'act':
      return {
        icon: actor === null || actor === 'system' ? 'account' : 'staff',
        ...eventLabel(what),
        detail: callerLabel(what, detail),
        why: reason && reasonLabel(reason),
      }
    case 'look':
      return { icon: 'look', tone: 'plain', title: accessTitle(what), why: accessReasonLabel(reason, detail) }
  }
}

const revealTitles: Readonly<Record<string, string>> = {
  email_shown: 'E-mail address shown',
  sim_shown: 'SIM number shown',
}
const accessTitle = (act: string): string => revealTitles[act] ?? 'Record opened by us'

const joinParts = (...parts: string[]): string => parts.filter(Boolean).join(' · ')

function callerLabel(event: string, details: string): string {
  if (event !== 'caller_pin_sent' && event !== 'caller_pin_wrong' && event !== 'caller_verified') return ''
  const { by, tries } = JSON.parse(details) as { by?: string; tries?: number }
  const channel = by === 'mail' ? 'PIN by email' : 'PIN by text'
  if (event === 'caller_pin_sent' || tries === undefined) return channel
  const attemptText = `the ${['first', 'second', 'third', 'fourth', 'fifth'][tries - 1] ?? 'last'} try`
  return event === 'caller_verified' ? `${channel}, correct on ${attemptText}` : `${channel}, ${attemptText}`
}
