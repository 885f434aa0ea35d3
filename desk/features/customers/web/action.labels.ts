import type { DeskIconName } from '#kit/web/desk/DeskIcon.tsx'
import type { CustomerActionName } from '../customers.contract.ts'

type ActionLabels = { title: string; icon: DeskIconName; willHappen: readonly string[] }

export const actionLabels: Record<CustomerActionName | 'again' | 'copy', ActionLabels> = {
  unlock: {
    title: 'Unlock sign-in',
    icon: 'key',
    willHappen: [
      'The account’s counts of failed sign-ins and wrong PINs go back to zero.',
      'Limits per IP address stay in place.',
    ],
  },
  'sign-out': {
    title: 'Sign out everywhere',
    icon: 'computer',
    willHappen: ['The customer is signed out on all devices at once.', 'They can sign in again with their password.'],
  },
  block: {
    title: 'Block',
    icon: 'pause',
    willHappen: [
      'The customer is signed out everywhere, and can’t sign in or pay.',
      'Auto-renewal is switched off for every number.',
      'Orders already paid for are delivered, and numbers work until their plans end.',
    ],
  },
  unblock: {
    title: 'Unblock',
    icon: 'good',
    willHappen: [
      'The customer can sign in and pay again.',
      'Auto-renewals that were switched off by the block will stay off.',
    ],
  },
  again: {
    title: 'Send again',
    icon: 'mail',
    willHappen: [
      'The message is rewritten with current details, and with a new link if it has one.',
      'It goes to the account’s current email address.',
      'You can do this three times a day for each type of message.',
    ],
  },
  copy: {
    title: 'Send again',
    icon: 'mail',
    willHappen: [
      'The customer gets a copy, headed with the date of the original message.',
      'It states the original amount, dates and card, even if they have changed since.',
      'It goes to the account’s current email address.',
      'You can do this three times a day for each type of message.',
    ],
  },
}
