import type { Subject } from '../messages.contract.ts'

type Kind = { what: string; of: Subject }
const all = (of: Subject, words: Record<string, string>): Record<string, Kind> =>
  Object.fromEntries(Object.entries(words).map(([kind, what]) => [kind, { what, of }]))

const kinds: Readonly<Record<string, Kind>> = {
  ...all('purchases', {
    activation: 'Activation',
    renewal: 'Renewal',
    addon: 'Add-on',
    refund: 'Refund',
    'taken-back': 'Order cancelled',
    'card-saved': 'Card saved',
    'card-removed': 'Card removed',
  }),
  ...all('transfers', {
    port: 'Transfer completed or failed',
    'port-text': 'Transfer completed or failed',
    'port-ask': 'Transfer needs correcting',
    'port-ask-text': 'Transfer needs correcting',
    'port-reply': 'Transfer needs confirming',
    'port-reply-text': 'Transfer needs confirming',
  }),
  ...all('plans', {
    'auto-renewal': 'Auto-renewal',
    'auto-renewal-text': 'Auto-renewal',
    'plan-life': 'Plan ending',
    'plan-life-text': 'Plan ending',
    'usage-alert': 'Data usage',
    'next-plan-cancelled': 'Next plan cancelled',
    'next-plan-kept': 'Next plan kept',
    'yearly-summary': 'Yearly summary',
  }),
  ...all('account', {
    verify: 'Confirm e-mail address',
    'password-reset': 'Link to set a new password',
    'reset-pin': 'PIN to set a new password',
    'password-changed': 'Password changed',
    'accounts-joined': 'Accounts merged',
    'phone-link': 'Confirm contact phone',
    'phone-changed': 'Contact phone changed',
    'phone-replaced': 'Contact phone changed',
    'change-email-pin': 'PIN to change e-mail address',
    'change-email-link': 'Confirm new e-mail address',
    'change-email-notice': 'E-mail change requested',
    'change-email-canceled': 'E-mail change stopped',
    'change-email-done': 'E-mail address changed',
    'caller-pin': 'PIN to verify a caller',
    'erasure-asked': 'Erasure requested',
    'erasure-asked-text': 'Erasure requested',
    'erasure-called-off': 'Erasure cancelled',
    'erasure-put-off': 'Erasure postponed',
    'staff-invitation': 'Invitation to the desk',
    'staff-notice': 'Change to staff',
    'staff-alert': 'Access alert',
  }),
}

export const isKnownKind = (kind: string): boolean => Object.hasOwn(kinds, kind)

export const wordsOfKind = (kind: string | null): string =>
  (isKnownKind(kind ?? '') && kinds[kind ?? '']?.what) || 'Other message'

export const kindsAbout = (subject: Subject): string[] =>
  Object.entries(kinds).flatMap(([kind, { of }]) => (of === subject ? [kind] : []))
