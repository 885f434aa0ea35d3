import * as v from 'valibot'
import type { Layout } from '#kit/contract/bootstrap.ts'
import { isSafeLink, safeLinks } from '#kit/contract/links.ts'
import { type Fault, oneLine, parseJson } from '#kit/server/config/json-files.ts'

const url = v.pipe(
  v.string(),
  v.check(isSafeLink, (issue) => `must be ${safeLinks}, not ${JSON.stringify(issue.input)}.`),
)
const menu = v.array(v.strictObject({ text: oneLine(60), url }))

const schema = v.strictObject({
  menus: v.strictObject({
    header: menu,
    footer: v.array(v.strictObject({ title: oneLine(60), items: menu })),
    short_footer: menu,
  }),
  roaming_link_text: oneLine(60),
  roaming_link_url: url,
  plan_selection_terms: v.array(oneLine(2_000)),
  faq_url: url,
  order_sim_url: url,
  copyright: oneLine(200),
})

export function parseLayout(file: string, text: string, fault: Fault): Layout | null {
  const layout = parseJson(file, text, schema, fault)
  if (!layout) return null
  const { header, footer, short_footer: short } = layout.menus
  const lists: [place: string, key: string, values: string[]][] = [
    ['menus.header', 'url', header.map((item) => item.url)],
    ['menus.short_footer', 'url', short.map((item) => item.url)],
    ['menus.footer', 'title', footer.map(({ title }) => title)],
    ...footer.map(({ items }, index): [string, string, string[]] => [
      `menus.footer.${index}.items`,
      'url',
      items.map((item) => item.url),
    ]),
  ]
  for (const [place, key, values] of lists) {
    for (const [index, value] of values.entries())
      if (values.indexOf(value) !== index) fault(`${file}: ${place}.${index}.${key}: ${value} appears twice.`)
  }
  return layout
}
