import * as v from 'valibot'
import { emailMessage, requiredEmail } from './email.ts'

/** RFC 5321, section 4.5.3.1.1. */
export const localPartMaxLength = 64

/**
 * Whether an address in its stored form may become the address of a customer or a staff member. No mail can be delivered to any other
 * address. Accounts created before this rule may still have such an address, so it applies only where a person enters a new one.
 */
export function isAcceptedAsNewEmail(email: string): boolean {
  const [local = '', domain = ''] = email.split('@')
  return local.length <= localPartMaxLength && !email.includes('..') && /\.(?!\d+$)[^.]+$/.test(domain)
}

export const requiredNewEmail = () =>
  v.config(v.pipe(requiredEmail(), v.check(isAcceptedAsNewEmail, emailMessage)), { abortPipeEarly: true })
