import type { CardType } from './card-types.ts'
import type { ZoneClock } from './zone-clock.ts'

export type MenuItem = { text: string; url: string }

export type Help = { phone: string; hours: string }

/** Layout data of spec 3. */
export type Layout = {
  menus: {
    header: MenuItem[]
    footer: { title: string; items: MenuItem[] }[]
    short_footer: MenuItem[]
  }
  roaming_link_text: string
  roaming_link_url: string
  /** Paragraphs with `**strong**` and `[text](address)` as markup. */
  plan_selection_terms: string[]
  faq_url: string
  order_sim_url: string
  copyright: string
}

export type Market = {
  code: 'NZ' | 'AU'
  /** IANA zone in which plans renew. */
  zone: string
  currency: 'NZD' | 'AUD'
  phoneRegion: 'NZ' | 'AU'
  country: string
  taxLabel: string
  /** GST is `taxPart[0] / taxPart[1]` of an inclusive price: 3/23 or 1/11. */
  taxPart: [number, number]
}

/** The provider's brand. All of it is public. */
export type Brand = {
  name: string
  shortName: string
  /** URL of the square mark; a `data:` URL if the mark is small. */
  mark: string
  description: string
  help: Help
}

/**
 * Data that the server puts into every page beside the rendered markup. They are public, and the same for every visitor except for the
 * time.
 */
export type Bootstrap = {
  layout: Layout
  market: Market
  brand: Brand
  serverTime: string
  zoneClock: ZoneClock
  /**
   * The card gateway: its public key as `hexExponent|hexModulus`, its name (the card field is `<name>_encrypted`), and the accepted card
   * types.
   */
  card: { gateway: string; publicKey: string; types: readonly CardType[] }
}
