import type { NoticeKind } from './notices.contract.ts'

/** Each topic has a fixed text, so that staff do not have to write one during an incident. */
export const noticeTexts: Readonly<Record<NoticeKind, { title: string; text: string }>> = {
  payments: {
    title: 'Payments aren’t going through at the moment.',
    text: 'You won’t be charged for a payment that fails. Please try again later.',
  },
  network: {
    title: 'The mobile network is responding slowly.',
    text: 'Activations, renewals and Add-Ons are taking longer than usual. They’ll complete automatically, so please don’t buy twice.',
  },
  transfers: {
    title: 'Number transfers are delayed.',
    text: 'Your transfer will continue automatically, and we’ll tell you when it’s done. Please keep your old SIM until then.',
  },
  messages: {
    title: 'Emails and texts are delayed.',
    text: 'They’ll still arrive. Asking for another won’t make them faster.',
  },
}
