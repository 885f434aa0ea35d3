import type { CardType } from './card-types.ts'
import type { ZoneClock } from './zone-clock.ts'

export type MenuItem = { text: string; url: string }

/** Contact for help: a phone number as it is displayed, and the hours when a person answers. */
export type Help = { phone: string; hours: string }

/** Layout data (spec 3): menus by position, and the texts and links that a provider edits without code. */
export type Layout = {
  menus: {
    header: MenuItem[]
    footer: { title: string; items: MenuItem[] }[]
    /** Replaces the footer's columns for signed-in customers. */
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
  /** `'New Zealand'` or `'Australia'`, for sentences. */
  country: string
  taxLabel: string
  /** GST is `taxPart[0] / taxPart[1]` of an inclusive price: 3/23 or 1/11. */
  taxPart: [number, number]
}

/** The provider that runs the portal. All of this is public. */
export type Brand = {
  name: string
  shortName: string
  /** URL of the brand's square mark, a `data:` URL if it is small. The mark is shown beside the name and while content loads. */
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
  /** ISO 8601 instant of the server's clock when the page was made. */
  serverTime: string
  /** The offsets of the market's time zone for some years around `serverTime`. */
  zoneClock: ZoneClock
  /**
   * The card gateway: its public key as `hexExponent|hexModulus`, its name (the card field is `<name>_encrypted`), and the accepted card
   * types.
   */
  card: { gateway: string; publicKey: string; types: readonly CardType[] }
}
