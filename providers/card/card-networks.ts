import { detectCardType } from '#kit/contract/card-number.ts'
import type { CardType } from '#kit/contract/card-types.ts'
import type { CardDetails } from './card.port.ts'

type CardTypeAndNetwork = Pick<CardDetails, 'type' | 'network'>

/** The card networks for each card type. `other` lists networks whose cards no provider can accept. */
const networksByType: Readonly<Record<CardType | 'other', readonly string[]>> = {
  visa: ['visa', 'visadankort', 'electron', 'vpay'],
  mc: ['mc', 'bijcard'],
  amex: ['amex'],
  other: ['diners', 'discover', 'jcb', 'cup', 'uatp'],
}

const typesByNetwork = new Map(
  Object.entries(networksByType).flatMap(([type, names]) => names.map((name) => [name, type as CardType | 'other'])),
)

/** Domestic networks that route other brands' cards. */
const routingNetworks: readonly string[] = ['eftpos_australia']

/**
 * The gateway's names for Maestro. The card form accepts only Maestro cards that begin with 677189, which the specification treats as
 * Mastercard.
 */
const maestroNetworks: readonly string[] = ['maestro', 'maestrouk']

/**
 * Derives the card type from the gateway's name for the network, such as `visa`, `mc_applepay` or `eftpos_australia`. For routing networks
 * and Maestro, it also uses the first digits of the card number, which some gateway accounts return. An unknown name gives no type, because
 * networks and wallets come and go.
 */
export function deriveCardType(named: string, bin: string | null): CardTypeAndNetwork {
  const parts = named.toLowerCase().split('_')
  // Wallets append their own name to the network's name, which may itself consist of several parts.
  const knownType = parts
    .map((_, index) => findCardTypeByNetwork(parts.slice(0, parts.length - index).join('_'), bin))
    .find((result) => result !== null)
  return { type: knownType?.type ?? null, network: { name: named, isKnown: knownType !== undefined } }
}

function findCardTypeByNetwork(name: string, bin: string | null): Pick<CardDetails, 'type'> | null {
  const type = typesByNetwork.get(name)
  if (type) return { type }
  if (routingNetworks.includes(name)) return { type: bin === null ? null : detectCardType(bin) }
  if (maestroNetworks.includes(name)) return { type: bin === null ? 'mc' : (detectCardType(bin) ?? 'other') }
  return null
}
