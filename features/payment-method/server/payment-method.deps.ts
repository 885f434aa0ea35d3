import type { Market } from '#kit/contract/bootstrap.ts'
import type { CardGateway } from '#providers/card/card.port.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'

/** What storing a card works with. */
export type PaymentMethodDeps = Pick<AuthDeps, 'db' | 'clock' | 'jobs' | 'log' | 'secrets'> & {
  card: CardGateway
  market: Market
}
