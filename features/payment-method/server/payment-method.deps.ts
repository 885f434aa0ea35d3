import type { Market } from '#kit/contract/bootstrap.ts'
import type { CardType } from '#kit/contract/card-types.ts'
import type { CardGateway } from '#providers/card/card.port.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'

/** What storing a card works with. */
export type PaymentMethodDeps = Pick<
  AuthDeps,
  'db' | 'clock' | 'jobs' | 'log' | 'secrets' | 'brandName' | 'colours' | 'help' | 'publicUrl'
> & {
  card: CardGateway
  /** Types of card that are taken. */
  cardTypes: readonly CardType[]
  market: Market
  /** Of these services, those that renew by themselves. */
  renewingOf(serviceIds: string[]): Promise<Set<string>>
  /** Whether an order is just being paid with this card of the gateway's. */
  isBeingCharged(storedId: string): Promise<boolean>
}
