import type { CardType } from './card-types.ts'
import type { ZoneClock } from './zone-clock.ts'

export type MenuItem = { text: string; url: string }

/** Who helps where the portal cannot: the number of a person, as it is written, and when somebody answers it. */
export type Help = { phone: string; hours: string }

/** Layout data (spec 3): menus by position, and the texts and links that a provider edits without code. */
export type Layout = {
  menus: {
    header: MenuItem[]
    footer: { title: string; items: MenuItem[] }[]
    /** In place of the footer's columns for who is signed in. */
    short_footer: MenuItem[]
  }
  roaming_link_text: string
  roaming_link_url: string
  /** Paragraphs, in which `**strong**` and `[text](address)` stand for what they look like. */
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
  /** 'New Zealand' or 'Australia', for sentences. */
  country: string
  taxLabel: string
  /** GST is `taxPart[0] / taxPart[1]` of an inclusive price: 3/23 or 1/11. */
  taxPart: [number, number]
}

/** Who runs the portal, in words that anybody may read. */
export type Brand = {
  name: string
  /** One word, where there is little room. */
  shortName: string
  /** Address of the mark, a `data:` one when it is small: a square drawing beside the name, and while something is on its way. */
  mark: string
  /** One sentence about the portal, for search engines. */
  description: string
  help: Help
}

/** What the server puts into every page beside the rendered markup: public, the same for every visitor but for the time. */
export type Bootstrap = {
  layout: Layout
  market: Market
  brand: Brand
  /** ISO 8601 instant of the server's clock when the page was made. */
  serverTime: string
  /** How the clock of the market's zone goes, some years around that time. */
  zoneClock: ZoneClock
  /** `hexExponent|hexModulus` of the card gateway, its name (the card field is `<name>_encrypted`), and the types that are taken. */
  card: { gateway: string; publicKey: string; types: readonly CardType[] }
}
