import type { DeskIconName } from '#kit/web/desk/DeskIcon.tsx'
import type { CustomerAct } from '../customers.contract.ts'

type Words = { title: string; icon: DeskIconName; willHappen: readonly string[] }

export const actWords: Record<CustomerAct | 'again', Words> = {
  unlock: {
    title: 'Unlock sign-in',
    icon: 'key',
    willHappen: [
      'Tries to sign in and wrong PINs of this account are counted anew.',
      'Limits by network address stay as they are.',
    ],
  },
  'sign-out': {
    title: 'Sign out everywhere',
    icon: 'computer',
    willHappen: ['Every session ends at once, on all devices.', 'They can sign in again with their password.'],
  },
  block: {
    title: 'Block',
    icon: 'pause',
    willHappen: [
      'They are signed out everywhere, and can neither sign in nor pay.',
      'Auto-renewal goes off for every number.',
      'What is paid for is delivered, and numbers work until their plans end.',
    ],
  },
  unblock: {
    title: 'Unblock',
    icon: 'good',
    willHappen: ['They can sign in and pay again.', 'Auto-renewals that the block has switched off stay off.'],
  },
  again: {
    title: 'Send again',
    icon: 'mail',
    willHappen: [
      'It is composed anew from what is so now, with a fresh link where it has one.',
      'It goes to the address that the account has now, whatever it was then.',
      'Three times a day of each kind.',
    ],
  },
}
