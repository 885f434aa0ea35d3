import type { Account } from '../auth.contract.ts'
import type { AuthDeps } from './auth.deps.ts'
import { findUser } from './users.store.ts'

/** What a customer is told about their own account, field by field. */
export async function presentAccount(
  { db, accountParts }: Pick<AuthDeps, 'db' | 'accountParts'>,
  userId: string | null,
): Promise<Account> {
  const user = userId ? await findUser(db, userId) : undefined
  if (!user) return { authenticated: false, user: null }
  const [phone, card, phoneChange] = await Promise.all([
    accountParts.phone(user.id),
    accountParts.card(user.id),
    accountParts.phoneChange(user.id),
  ])
  return {
    authenticated: true,
    user: {
      email: user.email,
      email_verified: user.email_verified_at !== null,
      first_name: user.first_name,
      last_name: user.last_name,
      phone: phone?.phone ?? null,
      phone_display: phone?.phone_display ?? null,
      last_updated: user.updated_at.toISOString(),
      credit_card_token: card,
      email_verification: phoneChange,
    },
  }
}
