import type { CardType } from './card-types.ts'
import type { ZoneClock } from './zone-clock.ts'

export type MenuItem = { text: string; url: string }

export type Help = { phone: string; hours: string }

/** The page layout's content: menus, links and terms (specification, section 3). */
export type Layout = {
  menus: {
    header: MenuItem[]
    footer: { title: string; items: MenuItem[] }[]
  }
  roaming_link_text: string
  roaming_link_url: string
  /** Terms shown when a customer chooses a plan, one entry per paragraph. A paragraph may contain `**strong**` and `[text](address)`. */
  plan_selection_terms: string[]
  faq_url: string
  order_sim_url: string
  copyright: string
}

export type Market = {
  code: 'NZ' | 'AU'
  /** IANA name of the market's time zone. Plans renew in this zone. */
  zone: string
  currency: 'NZD' | 'AUD'
  phoneRegion: 'NZ' | 'AU'
  country: string
  taxLabel: string
  /** The share of a GST-inclusive price that is GST, as a fraction: 3/23 in New Zealand, 1/11 in Australia. */
  taxPart: [number, number]
}

/** The provider's brand. Every field is public. */
export type Brand = {
  name: string
  shortName: string
  /** URL of the brand's square logo; a small logo is a `data:` URL. */
  mark: string
  description: string
  help: Help
}

/**
 * Data that the server embeds in every page, alongside the rendered markup. It is public and, apart from the time, identical for every
 * visitor.
 */
export type Bootstrap = {
  layout: Layout
  market: Market
  brand: Brand
  serverTime: string
  zoneClock: ZoneClock
  /**
   * The card gateway's public key as `hexExponent|hexModulus`, its name (the card field is `<name>_encrypted`), and the card types that the
   * provider accepts.
   */
  card: { gateway: string; publicKey: string; types: readonly CardType[] }
  /** True in the demo, and missing in production. */
  isDemo?: true
}
