import type { Account } from '../auth.contract.ts'
import type { AuthDeps, AccountData } from './auth.deps.ts'

export const presentAccount = async (
  { accountParts, db }: Pick<AuthDeps, 'accountParts' | 'db'>,
  userId: string | null,
): Promise<Account> => presentAccountData(userId ? await accountParts.whole.of(db, userId, {}) : null)

export function presentAccountData(wholeAccount: AccountData | null): Account {
  if (!wholeAccount) return { authenticated: false, user: null }
  const { account, card, phone, phoneChange } = wholeAccount
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
