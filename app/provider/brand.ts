import * as v from 'valibot'
import type { Brand, Market } from '#kit/contract/bootstrap.ts'
import { isSafeLink } from '#kit/contract/links.ts'
import { colourNames, type ColourName, type Colours } from '#kit/contract/brand.ts'
import type { Issuer } from '#features/invoices/server/invoices.store.ts'
import { listContrastFaults } from './contrast.ts'
import { type JsonFile, parseJsonFile } from '#kit/server/config/json-file.ts'
import { singleLineText } from '#kit/server/config/parse-json.ts'
import { taxNumberSchemas } from './tax-number.ts'

const colourSchema = v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #0b5f57.'))
const colourPairSchema = v.strictTuple([colourSchema, colourSchema])
const svgFileName = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*\.svg$/, 'must be the name of an SVG file in this folder.'),
)
const helpSchema = v.strictObject({
  phone: v.pipe(singleLineText(24), v.regex(/^[+(]?\d[\d ()-]{2,}$/, 'must be a phone number, such as 0800 123 456.')),
  hours: singleLineText(60),
})
const issuerSchema = (market: Market['code']) =>
  v.strictObject({
    name: singleLineText(100),
    tax_number: taxNumberSchemas[market],
    address: singleLineText(200),
  })

/** The prefix of new order codes if the brand file has none. It is also the prefix of all codes from before prefixes could be set. */
const defaultOrderPrefix = 'FT'
const orderPrefixSchema = v.pipe(
  v.string(),
  v.regex(/^[A-Z]{2,4}$/, 'must be 2 to 4 capital letters, such as FT.'),
  v.check((prefix) => prefix !== 'CN', 'must not be CN, because the codes of credit notes start with it.'),
)

const securityContactSchema = v.pipe(
  singleLineText(200),
  v.check(
    (address) => isSafeLink(address) && /^(?:https|mailto):/.test(address),
    'must be an https:// or mailto: address of yours.',
  ),
)

const brandSchema = v.strictObject({
  name: singleLineText(40),
  short_name: singleLineText(20),
  description: singleLineText(160),
  help: v.strictObject({ NZ: v.optional(helpSchema), AU: v.optional(helpSchema) }),
  security_contact: v.optional(securityContactSchema),
  order_prefix: v.optional(orderPrefixSchema, defaultOrderPrefix),
  issuer: v.strictObject({ NZ: v.optional(issuerSchema('NZ')), AU: v.optional(issuerSchema('AU')) }),
  mark: svgFileName,
  icon: svgFileName,
  colours: v.strictObject({
    ...(Object.fromEntries(colourNames.map((name) => [name, colourPairSchema])) as Record<
      ColourName,
      typeof colourPairSchema
    >),
    plume: v.optional(colourPairSchema),
  }),
})

export type BrandFile = Omit<Brand, 'mark'> & {
  issuer: Issuer
  securityContact: string | null
  /** The prefix of new order codes. */
  orderPrefix: string
  colours: Colours
  mark: string
  icon: string
}

/**
 * Parses a brand file, which contains names, wording, colours and the company that issues invoices. Reports every fault. `null` if the
 * file is unusable.
 */
export function parseBrand(file: JsonFile, market: Market): BrandFile | null {
  const input = parseJsonFile(file, brandSchema)
  if (!input) return null
  const colours = Object.fromEntries(
    Object.entries({ ...input.colours, plume: input.colours.plume ?? input.colours.ink }).map(
      ([name, [light, dark]]) => [name, { light: light.toLowerCase(), dark: dark.toLowerCase() }],
    ),
  ) as Colours
  for (const { name, message } of listContrastFaults(colours)) file.report(`colours.${name}`, message)
  const company = input.issuer[market.code]
  if (!company)
    file.report(`issuer.${market.code}`, `is missing. It is the company that issues invoices in ${market.country}.`)
  const helpContact = input.help[market.code]
  if (!helpContact)
    file.report(`help.${market.code}`, `is missing. It is the contact for customers in ${market.country}.`)
  if (!company || !helpContact) return null
  const { name, short_name: shortName, description, security_contact: contact = null, mark, icon } = input
  return {
    name,
    shortName,
    description,
    help: helpContact,
    securityContact: contact,
    orderPrefix: input.order_prefix,
    mark,
    icon,
    colours,
    issuer: { ...company, tax_label: market.taxLabel },
  }
}
