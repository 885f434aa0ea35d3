import type { Market } from '#kit/contract/bootstrap.ts'
import type { CardType } from '#kit/contract/card-types.ts'
import type { CardGateway } from '#providers/card/card.port.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'

export type PaymentMethodDeps = Pick<
  AuthDeps,
  'db' | 'clock' | 'jobs' | 'log' | 'secrets' | 'brandName' | 'colours' | 'help' | 'publicUrl'
> & {
  card: CardGateway
  cardTypes: readonly CardType[]
  market: Market
  renewingOf(serviceIds: string[]): Promise<Set<string>>
  isBeingCharged(storedId: string): Promise<boolean>
}
