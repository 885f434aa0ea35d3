export type MenuItem = { text: string; url: string }

/** Layout data (spec 3): menus by position, and the texts and links that a provider edits without code. */
export type Layout = {
  menus: { header: MenuItem[]; footer: { title: string; items: MenuItem[] }[] }
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
  /** How to reach a person, as a sentence: shown where the portal cannot help any further. */
  help: string
}

/** What the server puts into every page beside the rendered markup: public, the same for every visitor but for the time. */
export type Bootstrap = {
  layout: Layout
  market: Market
  brand: Brand
  /** ISO 8601 instant of the server's clock when the page was made. */
  serverTime: string
  /** `hexExponent|hexModulus` of the card gateway, and its name (the card field is `<name>_encrypted`). */
  card: { gateway: string; publicKey: string }
}
