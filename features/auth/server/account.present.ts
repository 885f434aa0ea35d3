import type { Account } from '../auth.contract.ts'
import type { AuthDeps } from './auth.deps.ts'

/** What a customer is told about their own account, field by field. */
export async function presentAccount(
  { accountParts }: Pick<AuthDeps, 'accountParts'>,
  userId: string | null,
): Promise<Account> {
  const whole = userId ? await accountParts.whole(userId) : null
  if (!whole) return { authenticated: false, user: null }
  const { account, card, phone, phoneChange } = whole
  return {
    authenticated: true,
    user: {
      email: account.email,
      email_verified: account.email_verified_at !== null,
      first_name: account.first_name,
      last_name: account.last_name,
      phone: phone?.phone ?? null,
      phone_display: phone?.phone_display ?? null,
      last_updated: account.updated_at.toISOString(),
      credit_card_token: card,
      email_verification: phoneChange,
    },
  }
}
