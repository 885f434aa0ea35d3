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
    'taken-back': 'Order taken back',
    'card-saved': 'Card saved',
    'card-removed': 'Card removed',
  }),
  ...all('transfers', {
    port: 'Transfer is over',
    'port-text': 'Transfer is over',
    'port-ask': 'What a transfer needs',
    'port-ask-text': 'What a transfer needs',
    'port-reply': 'Reply that a transfer waits for',
    'port-reply-text': 'Reply that a transfer waits for',
  }),
  ...all('plans', {
    'auto-renewal': 'Auto-renewal',
    'auto-renewal-text': 'Auto-renewal',
    'plan-life': 'End of a plan',
    'plan-life-text': 'End of a plan',
    'usage-alert': 'Used data',
    'next-plan-cancelled': 'Next plan cancelled',
    'next-plan-kept': 'Next plan kept',
    'yearly-summary': 'Summary of a year',
  }),
  ...all('account', {
    verify: 'Address to confirm',
    'password-reset': 'Link to a new password',
    'reset-pin': 'PIN for a new password',
    'password-changed': 'Password changed',
    'accounts-joined': 'Accounts joined',
    'phone-link': 'Contact phone to confirm',
    'phone-changed': 'Contact phone changed',
    'phone-replaced': 'Contact phone changed',
    'change-email-pin': 'PIN for another address',
    'change-email-link': 'Another address to confirm',
    'change-email-notice': 'Address is being changed',
    'change-email-canceled': 'Address is not changed',
    'change-email-done': 'Address changed',
    'caller-pin': 'PIN that a caller reads out',
    'erasure-asked': 'Erasure asked for',
    'erasure-asked-text': 'Erasure asked for',
    'erasure-called-off': 'Erasure called off',
    'erasure-put-off': 'Erasure put off',
    'staff-invitation': 'Invitation to the desk',
    'staff-notice': 'Notice about staff',
    'staff-alert': 'Access alert',
  }),
}

export const isKnownKind = (kind: string): boolean => Object.hasOwn(kinds, kind)

export const wordsOfKind = (kind: string | null): string =>
  (isKnownKind(kind ?? '') && kinds[kind ?? '']?.what) || 'Another message'

export const kindsAbout = (subject: Subject): string[] =>
  Object.entries(kinds).flatMap(([kind, { of }]) => (of === subject ? [kind] : []))
