import * as v from 'valibot'
import type { Brand, Market } from '#kit/contract/bootstrap.ts'
import { isSafeLink } from '#kit/contract/links.ts'
import { colourNames, type ColourName, type Colours } from '#kit/contract/brand.ts'
import type { Issuer } from '#features/invoices/server/invoices.store.ts'
import { contrastFaults } from './contrast.ts'
import { type Fault, oneLine, parseJson } from '#kit/server/config/json-files.ts'

const colour = v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #0b5f57.'))
const byDayAndByNight = v.strictTuple([colour, colour])
const drawing = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*\.svg$/, 'must be the name of an SVG file in this folder.'),
)
const help = v.strictObject({
  phone: v.pipe(oneLine(24), v.regex(/^[+(]?\d[\d ()-]{2,}$/, 'must be a phone number, such as 0800 123 456.')),
  hours: oneLine(60),
})
const issuer = v.strictObject({ name: oneLine(100), tax_number: oneLine(30), address: oneLine(200) })

const securityContact = v.pipe(
  oneLine(200),
  v.check(
    (address) => isSafeLink(address) && /^(?:https|mailto):/.test(address),
    'must be an https:// or mailto: address of yours.',
  ),
)

const schema = v.strictObject({
  name: oneLine(40),
  short_name: oneLine(20),
  description: oneLine(160),
  help: v.strictObject({ NZ: v.optional(help), AU: v.optional(help) }),
  security_contact: v.optional(securityContact),
  issuer: v.strictObject({ NZ: v.optional(issuer), AU: v.optional(issuer) }),
  mark: drawing,
  icon: drawing,
  colours: v.strictObject({
    ...(Object.fromEntries(colourNames.map((name) => [name, byDayAndByNight])) as Record<
      ColourName,
      typeof byDayAndByNight
    >),
    plume: v.optional(byDayAndByNight),
  }),
})

export type BrandFile = Omit<Brand, 'mark'> & {
  issuer: Issuer
  securityContact: string | null
  colours: Colours
  mark: string
  icon: string
}

/** Parses names, texts, colours and the issuer of invoices. Reports faults to `fault`, and returns `null` if the result is unusable. */
export function parseBrand(file: string, text: string, market: Market, fault: Fault): BrandFile | null {
  const input = parseJson(file, text, schema, fault)
  if (!input) return null
  const colours = Object.fromEntries(
    Object.entries({ ...input.colours, plume: input.colours.plume ?? input.colours.ink }).map(
      ([name, [light, dark]]) => [name, { light: light.toLowerCase(), dark: dark.toLowerCase() }],
    ),
  ) as Colours
  for (const line of contrastFaults(colours)) fault(`${file}: ${line}`)
  const company = input.issuer[market.code]
  if (!company)
    fault(`${file}: issuer.${market.code}: is missing. It is the company that issues invoices in ${market.country}.`)
  const person = input.help[market.code]
  if (!person) fault(`${file}: help.${market.code}: is missing. It is the contact for customers in ${market.country}.`)
  if (!company || !person) return null
  const { name, short_name: shortName, description, security_contact: contact = null, mark, icon } = input
  return {
    name,
    shortName,
    description,
    help: person,
    securityContact: contact,
    mark,
    icon,
    colours,
    issuer: { ...company, tax_label: market.taxLabel },
  }
}
