import { cardTypeOf } from '#kit/contract/card-number.ts'
import type { CardType } from '#kit/contract/card-types.ts'
import type { CardDetails } from './card.port.ts'

type NamedType = Pick<CardDetails, 'type' | 'network'>

/** The gateway's names for the networks of each type of card. `other`: no provider can accept cards of that network. */
const networksOfType: Readonly<Record<CardType | 'other', readonly string[]>> = {
  visa: ['visa', 'visadankort', 'electron', 'vpay'],
  mc: ['mc', 'bijcard'],
  amex: ['amex'],
  other: ['diners', 'discover', 'jcb', 'cup', 'uatp'],
}

const typesByName = new Map(
  Object.entries(networksOfType).flatMap(([type, names]) => names.map((name) => [name, type as CardType | 'other'])),
)

/** Domestic networks that route a card of another brand. */
const routingNetworks: readonly string[] = ['eftpos_australia']

/** The card form accepts no other Maestro card than those of 677189, which the specification counts as Mastercard. */
const maestro: readonly string[] = ['maestro', 'maestrouk']

/**
 * The type of a card from the gateway's name for its network, such as `visa`, `mc_applepay` or `eftpos_australia`, and from the first
 * digits of its number where the gateway's account returns them. Networks and wallets come and go: an unknown name gives no type.
 */
export function typeFromNetwork(named: string, bin: string | null): NamedType {
  const parts = named.toLowerCase().split('_')
  // Wallets append their own names to the network's, which may itself have several parts.
  const known = parts
    .map((_, index) => typeOf(parts.slice(0, parts.length - index).join('_'), bin))
    .find((result) => result !== null)
  return { type: known?.type ?? null, network: { name: named, isKnown: known !== undefined } }
}

function typeOf(name: string, bin: string | null): Pick<CardDetails, 'type'> | null {
  const type = typesByName.get(name)
  if (type) return { type }
  if (routingNetworks.includes(name)) return { type: bin === null ? null : cardTypeOf(bin) }
  if (maestro.includes(name)) return { type: bin === null ? 'mc' : (cardTypeOf(bin) ?? 'other') }
  return null
}
